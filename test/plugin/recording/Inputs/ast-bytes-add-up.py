"""ast-bytes-add-up.py EVENTS SUMMARY: the AST bytes of the summary's rows are
those of the outermost interval, and every interval's own and its children's
are its whole."""

import json
import sys

Events = [json.loads(Line) for Line in open(sys.argv[1])]
Children = [0]
for Event in Events:
    if Event["event"] == "begin":
        Children.append(0)
    elif Event["event"] == "end":
        Own = Event["ast_bytes"] - Children.pop()
        assert Own == Event["ast_bytes_own"], Event
        Children[-1] += Event["ast_bytes"]
Rows = json.load(open(sys.argv[2]))["rows"]
Sum = sum(Row["ast_bytes"] for Row in Rows)
assert Sum == Children[0] > 0, (Sum, Children)
