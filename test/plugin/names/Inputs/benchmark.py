"""Runs the benchmark of names on one small file and compares its counts.

usage: benchmark.py SOURCE-ROOT BUILD CLANG MAJOR SCRATCH
"""

import json
import os
import re
import subprocess
import sys

SOURCE = """// std: c++17
namespace ns {
template <class T, class U = T> struct Box { T Value; U get() { return U(); } };
template <int... I> struct Pack {};
} // namespace ns
int First = ns::Box<ns::Box<int>>().get().get();
int Second = sizeof(ns::Box<ns::Pack<1, 2, 3>, char>);
int Third = sizeof(ns::Box<ns::Pack<1, 2, 3>, char>);
"""

SourceRoot, Build, Clang, Major, Scratch = sys.argv[1:]
os.makedirs(Scratch, exist_ok=True)
with open(os.path.join(Scratch, "box.cpp"), "w", encoding="utf-8") as File:
    File.write(SOURCE)
Result = os.path.join(Scratch, "result.json")
Table = subprocess.run(
    [sys.executable, os.path.join(SourceRoot, "utils", "bench", "names.py")]
    + ["--build", Build, "--corpus", Scratch, "--files", "box", "--rounds", "2"]
    + ["--clang", Major, "--llvm-prefix", Clang[: Clang.rindex(Major + "/bin/")]]
    + ["--json", Result],
    check=True,
    stdout=subprocess.PIPE,
).stdout.decode()
with open(Result, encoding="utf-8") as File:
    (M,) = json.load(File)["measurements"]
Contest, Bytes = M["contest"], M["bytes"]


def expect(What, Found, Expected):
    if Found != Expected:
        sys.exit("%s: found %s, expected %s" % (What, Found, Expected))


Checked = re.match(r"(\d+) entities, (\d+) differences", M["check_lines"][-1])
expect("entities", Contest["entities"], int(Checked.group(1)))
expect("differences found by the plugin", Checked.group(2), "0")
expect("differences found by the contest", Contest["differences"], 0)
expect("rounds", len(Contest["rounds"]), 2)
Text = Contest["printed_text_bytes"]
expect("bytes of built names", Contest["built_text_bytes"], Text)
for Round in Contest["rounds"]:
    expect("bytes printed once each", Round["print_each"]["bytes"], Text)
    Begins, All = Round["print_begins"], Round["print_begins_and_hits"]
    expect("stopped", (Begins["is_stopped"], All["is_stopped"]), (False, False))
    expect("printed at begins", Begins["printed"], Contest["begins"])
    expect("printed at all", All["printed"], Contest["begins"] + Contest["hits"])
if not Contest["entities"] < Contest["begins"] or not Contest["hits"]:
    sys.exit("the file has no repeated events: %s" % Contest)
# Two of the texts may be equal; each has a line break after it.
if not 0 < Bytes["distinct"] <= Contest["entities"]:
    sys.exit("distinct names: %s" % Bytes)
if Bytes["flat_bytes"] > Text + Contest["entities"]:
    sys.exit("flat names are longer than all texts: %s" % Bytes)
expect("bytes of the dictionary", Bytes["ours_bytes"], Contest["dictionary_bytes"])
# The trace's has the paths as well.
if M["trace_bytes"] <= Bytes["ours_bytes"]:
    sys.exit("the trace has a smaller dictionary: %s" % M)
if Table.count("| box |") < 3:
    sys.exit("a table lacks the file:\n" + Table)
