"""Checks that a file is JSON and its slices nest: per process, none overlaps the
end of the one it begins in, and every arrow has a begin and an end.

usage: check-chrome.py FILE
"""

import decimal
import json
import sys

with open(sys.argv[1], encoding="utf-8") as File:
    Events = json.load(File, parse_float=decimal.Decimal)["traceEvents"]
Open = {}
Slices = 0
for Event in (E for E in Events if E["ph"] in "XB"):
    Slices += 1
    Begin = Event["ts"]
    End = Begin + Event["dur"] if Event["ph"] == "X" else None
    Stack = Open.setdefault(Event["pid"], [])
    while Stack and Stack[-1] is not None and Stack[-1] <= Begin and Begin != End:
        Stack.pop()
    Around = Stack[-1] if Stack else None
    assert Around is None or (End is not None and End <= Around), Event
    Stack.append(End)
Starts = sorted(E["id"] for E in Events if E["ph"] == "s")
assert Slices and Starts == sorted(E["id"] for E in Events if E["ph"] == "f"), Starts
