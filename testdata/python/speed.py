#!/usr/bin/env python3
"""Prints how many seconds CPython takes for json.dumps(json.loads(document), ...) and for its SHA-256: the best of many turns.

The document is the file named as the argument.
"""
import hashlib
import json
import sys
import timeit


def text(document):
    return json.dumps(json.loads(document), sort_keys=True, separators=(",", ":")).encode()


def best(work):
    turns = max(1, int(0.05 / min(timeit.repeat(work, number=1, repeat=3))))
    return min(timeit.repeat(work, number=turns, repeat=20)) / turns


def main():
    with open(sys.argv[1], "rb") as file:
        document = file.read()
    print(best(lambda: text(document)), best(lambda: hashlib.sha256(text(document)).hexdigest()))


if __name__ == "__main__":
    main()
