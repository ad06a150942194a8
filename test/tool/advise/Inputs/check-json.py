"""Checks the JSON of `advise --only=recursion`: order and bounds of savings."""

import json
import sys

Report = json.load(sys.stdin)
Rows = Report["rows"]
assert Report["suggestion_count"] == len(Rows) == 3, Report
assert [R["name"] for R in Rows][0] == "lib::cell<$>::value"
Savings = [R["saving_ns"] for R in Rows]
assert Savings == sorted(Savings, reverse=True), Savings
for Row in Rows:
    assert Row["kind"] == "recursion"
    assert 0 < Row["least_ns"] <= Row["saving_ns"] <= Row["most_ns"] <= Report["total_ns"]
    assert Row["evidence"] and Row["action"] and Row["basis"] and Row["doubts"]
