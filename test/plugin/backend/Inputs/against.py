"""Compares what a trace says of functions with what others say of the same compile.

usage: against.py NM DUMP TIME-TRACE OBJECT OPTIMIZATION-RECORD

With the object's symbol table: as many functions, of as many bytes each. With the
optimization record: as many instructions in each. With -ftime-trace: an interval of
machine code for as many functions.
"""

import json
import re
import subprocess
import sys

NM, DUMP, TIME_TRACE, OBJECT, RECORD = sys.argv[1:]
Failures = 0


def compare(What, Ours, Theirs):
    global Failures
    if Ours != Theirs or not Ours:
        Failures += 1
        print("%s: %s, and not %s" % (What, Ours, Theirs))


def main():
    with open(DUMP, encoding="utf-8") as File:
        Text = File.read()
    Rows = re.findall(r"^\s*function .* machine (\d+) bytes (\d+)", Text, re.M)
    Emitted = re.findall(r"^\s*function .* machine (\d+)", Text, re.M)

    # A constructor's two forms are one function with two symbols at one place.
    Symbols = {}
    Listing = subprocess.run([NM, "--print-size", OBJECT], capture_output=True, check=True, text=True)
    for Line in Listing.stdout.splitlines():
        Parts = Line.split()
        if len(Parts) == 4 and Parts[2] in "tTwW":
            Name = re.sub(r"([CD])1(?=E)", r"\g<1>2", Parts[3])
            Symbols[Name] = int(Parts[1], 16)
    compare("bytes", sorted(int(Bytes) for _, Bytes in Rows), sorted(Symbols.values()))

    with open(RECORD, encoding="utf-8") as File:
        Counts = re.findall(r"InstructionCount.*?NumInstructions: +'(\d+)'", File.read(), re.S)
    compare("instructions", sorted(map(int, Emitted)), sorted(map(int, Counts)))

    with open(TIME_TRACE, encoding="utf-8") as File:
        Events = json.load(File)["traceEvents"]
    # Older Clangs have another, empty pipeline for each function.
    Functions = len({Event["args"]["detail"] for Event in Events if Event["name"] == "OptFunction"})
    Intervals = len(re.findall(r"begin +MachineCode (?!<unnamed>)", Text))
    compare("functions with machine code", Intervals, Functions)
    print("%d functions in the object, %d disagreements" % (len(Rows), Failures))


main()
