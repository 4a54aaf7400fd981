#!/usr/bin/env python3
"""What CPython's json module says of documents.

Input: one document a line, in hex. Output: one line a document, four fields parted by tabs:

    encoding   what json.detect_encoding finds
    answer     "ok", or the class of the exception that json.loads(bytes) raises
    strict     "ok", or "no" where the document is accepted above and is not plain JSON: a byte-order mark, invalid UTF-8, half of a
               surrogate pair, a repeated name, NaN, an infinity, a number past the range of a double
    text       json.dumps(value, sort_keys=True, separators=(",", ":")) where the answer is "ok", else empty

The committed answers were written by CPython 3.11.7.
"""
import json
import math
import sys


def pairs(members):
    value = dict(members)
    if len(value) != len(members):
        raise ValueError("a repeated name")
    return value


def finite(literal):
    value = float(literal)
    if math.isinf(value):
        raise ValueError("past the range of a double")
    return value


def constant(literal):
    raise ValueError(literal)


def is_strict(document):
    try:
        value = json.loads(document.decode("utf-8"), object_pairs_hook=pairs, parse_float=finite, parse_constant=constant)
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError):
        return False
    return True


def answer(document):
    encoding = json.detect_encoding(document)
    try:
        text = json.dumps(json.loads(document), sort_keys=True, separators=(",", ":"))
    except (ValueError, RecursionError) as error:
        return encoding, type(error).__name__, "no", ""
    return encoding, "ok", "ok" if is_strict(document) else "no", text


def main():
    for line in sys.stdin:
        sys.stdout.write("\t".join(answer(bytes.fromhex(line))) + "\n")


if __name__ == "__main__":
    main()
