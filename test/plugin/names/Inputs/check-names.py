"""Compiles a file and compares every name with what Clang prints.

usage: check-names.py PLUGIN SCRATCH CLANG ARGUMENT...

Adds -fsyntax-only, check-names and an output, SCRATCH.itrace, to the command.
Fails when the compile does, when `instantrace verify` finds something, or when
one of the names differs. Prints the last line of the report.
"""

import os
import re
import subprocess
import sys


def main():
    Plugin, Scratch, Clang, *Arguments = sys.argv[1:]
    Report, Trace = Scratch + ".names", Scratch + ".itrace"
    if os.path.exists(Report):
        os.remove(Report)  # it is appended to
    subprocess.run(
        [
            Clang,
            "-fsyntax-only",
            "-fplugin=" + Plugin,
            "-fplugin-arg-instantrace-check-names=" + Report,
            "-fplugin-arg-instantrace-output=" + Trace,
            *Arguments,
        ],
        check=True,
    )
    subprocess.run(
        ["instantrace", "verify", Trace], check=True, stdout=subprocess.DEVNULL
    )
    with open(Report, errors="replace") as File:
        Lines = File.read().splitlines()
    if not re.fullmatch(r"[1-9]\d* entities, 0 differences", Lines[-1]):
        sys.exit("\n".join(Lines))
    print(Lines[-1])


main()
