#!/usr/bin/env python3
"""Re-verifies an asa-report/1 without proveit: usage check_report.py FOLDER REPORT.json; exit 0 where every step holds, 1 otherwise.

Inputs that are not in the folder, such as receipts, are looked for from where it is run. It checks the SHA-256 of every input, that each declared value stands at the place named, every arithmetic step, and each stated gap.
"""
import hashlib, json, pathlib, re, sys
from fractions import Fraction

folder, report = pathlib.Path(sys.argv[1]), json.load(open(sys.argv[2], encoding="utf-8"), parse_float=str, parse_int=str)
bad, done = [], 0
number = re.compile(r"-?\d+(\.\d+)?(/\d+)?")
step = re.compile(r"(%s)([*/])(%s)=(%s)" % ((number.pattern,) * 3))


def check(holds, what):
    global done
    done += 1
    if not holds:
        bad.append(what)


def place(path):
    return folder / path if (folder / path).exists() else pathlib.Path(path)


def lookup(path, pointer):
    text = place(path).read_text(encoding="utf-8")
    value = json.loads(text, parse_float=str, parse_int=str)
    for token in pointer.split("/")[1:]:
        token = token.replace("~1", "/").replace("~0", "~")
        value = value[int(token)] if isinstance(value, list) else value[token]
    return value


for entry in report["inputs"]:
    check(hashlib.sha256(place(entry["path"]).read_bytes()).hexdigest() == entry["sha256"], entry["path"])
for f in report["findings"]:
    if "gap" in f and number.fullmatch(f["declared"]) and number.fullmatch(f["recomputed"]):
        check(Fraction(f["declared"]) - Fraction(f["recomputed"]) == Fraction(f["gap"]), f["id"] + " gap")
        path, _, pointer = f["at"].partition("#")
        check(Fraction(str(lookup(path, pointer))) == Fraction(f["declared"]), f["id"] + " declared")
    total = Fraction(0)
    for text in f.get("derivation", []):
        m = step.fullmatch(text)
        if m:
            a, b, c = Fraction(m[1]), Fraction(m[5]), Fraction(m[8])
            check((a * b if m[4] == "*" else a / b) == c, f["id"] + " " + text)
            total += c
        elif text.startswith("sum=") and number.fullmatch(text[4:]):
            check(total == Fraction(text[4:]), f["id"] + " " + text)
            check(Fraction(f["recomputed"]) == total, f["id"] + " recomputed")
print(f"{done} steps checked, {len(bad)} do not hold", *bad, sep="\n")
sys.exit(1 if bad or not done else 0)
