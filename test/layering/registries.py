#!/usr/bin/env python3
"""Checks that a command and an export format are one file and one line.

usage: registries.py ROOT

Each COMMAND(Name) of utils/commands/Commands.def is defined in
utils/commands/Name.cpp, each EXPORT_FORMAT(Name) of utils/export/ExportFormats.def
in utils/export/Name.cpp; nothing is defined elsewhere or without its line.
"""

import glob
import os
import re
import sys

REGISTRIES = (
    ("utils/commands", "Commands.def", "COMMAND", r"^CommandRun instantrace::add(\w+)\("),
    ("utils/export", "ExportFormats.def", "EXPORT_FORMAT", r"^const ExportFormat instantrace::(\w+)Format\b"),
)


def read(*Parts):
    with open(os.path.join(*Parts), encoding="utf-8") as File:
        return File.read()


def check(Root, Folder, List, Macro, Definition):
    Listed = re.findall(r"^%s\((\w+)\)" % Macro, read(Root, Folder, List), re.M)
    Homes = {}
    for Path in sorted(glob.glob(os.path.join(Root, Folder, "*.cpp"))):
        for Name in re.findall(Definition, read(Path), re.M):
            Homes.setdefault(Name, []).append(os.path.basename(Path))
    for Name in sorted({N for N in Listed if Listed.count(N) > 1}):
        yield "%s/%s: %s has more than one line" % (Folder, List, Name)
    for Name in sorted(set(Listed) | set(Homes)):
        if Homes.get(Name, []) != [Name + ".cpp"]:
            Where = "in " + ", ".join(Homes[Name]) if Name in Homes else "nowhere"
            yield "%s: %s is defined %s, expected in %s.cpp" % (Folder, Name, Where, Name)
        if Name not in Listed:
            yield "%s: %s has no line in %s" % (Folder, Name, List)


def main(Root):
    Found = [Problem for Registry in REGISTRIES for Problem in check(Root, *Registry)]
    for Problem in Found:
        print(Problem)
    print("%d problems in %d registries" % (len(Found), len(REGISTRIES)))
    return 1 if Found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
