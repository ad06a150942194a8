"""The answer in JSON has the same, with a number for each specialization."""
import json
import sys

(Compile,) = json.load(sys.stdin)["unfinished"]
(Most,) = Compile["most_memory"]
assert Most["template"] == "Cat<$>" and Most["memory_bytes"] == 2500000000, Most
Newest = [(S["name"], S["ns"], S["memory_bytes"]) for S in Most["newest"]]
assert Newest == [("Cat<1>", 400000000, 200000000), ("Cat<2>", 800000000, 400000000), ("Cat<3>", 0, 1900000000)], Newest
assert Compile["most_time"][0]["template"] == "Cat<$>", Compile
