#!/usr/bin/env python3
"""Checks that proto/FORMAT.md says what the code does.

usage: format-document.py ROOT

The version table ends with FormatMajor.FormatMinor of runtime/format/Record.h;
the table of event kinds is runtime/format/EventKinds.def, whose numbers and
names are unique; every invariant that the reader
names is in the table of what a reader must check.
"""

import glob
import os
import re
import sys

from proto_document import read, report, section, table


def check_version(Root, Document):
    Record = read(Root, "runtime/format/Record.h")
    Number = r"inline constexpr uint32_t Format%s = (\d+);"
    Code = ".".join(re.search(Number % Part, Record).group(1) for Part in ("Major", "Minor"))
    Rows = table(section(Document, "Versions"))
    Last = Rows[-1][0] if Rows else "nothing"
    if Last != Code:
        yield "the version table ends with %s, Record.h says %s" % (Last, Code)


def check_kinds(Root, Document):
    Definition = read(Root, "runtime/format/EventKinds.def")
    Row = r'^X\((\w+), (\d+),\s*"([a-z0-9-]+)",\s*(\w+)\)'
    Kinds = [[N, Name, F, G] for Name, N, F, G in re.findall(Row, Definition, re.M)]
    Lines = len(re.findall(r"^X\(", Definition, re.M))
    if not Kinds or Lines != len(Kinds):
        yield "%d of %d lines of EventKinds.def are understood" % (len(Kinds), Lines)
    for Column, What in ((0, "number"), (1, "kind"), (2, "filter name")):
        Values = [K[Column] for K in Kinds]
        for Value in sorted({V for V in Values if Values.count(V) > 1}):
            yield "EventKinds.def: %s %s is there more than once" % (What, Value)
    Documented = table(section(Document, "Event kinds"))
    for Kind in Kinds:
        if Kind not in Documented:
            yield "FORMAT.md lacks the row | %s |" % " | ".join(Kind)
    for Kind in Documented:
        if Kind not in Kinds:
            yield "EventKinds.def lacks what FORMAT.md has: %s" % " ".join(Kind)


def check_invariants(Root, Document):
    Named = set()
    for Path in glob.glob(os.path.join(Root, "runtime/*/*.cpp")):
        # Issues.fatal("name", ...), Issues.note(...), Check("name", ...),
        # damaged("name", ...), fault("name", ...) and the two calls of
        # resolve().
        if os.path.basename(os.path.dirname(Path)) == "index":
            continue  # index-document.py
        Text = read(Root, os.path.relpath(Path, Root))
        Calls = r'\b(?:fatal|note|Check|Differs|damaged|fault)\(\s*"([a-z]+(?:-[a-z]+)*)",'
        Named.update(re.findall(Calls, Text))
        Named.update(re.findall(r'"((?:entity|location)-reference)"', Text))
    Documented = set(re.findall(r"`([a-z-]+)`", section(Document, "What a reader must check")))
    for Name in sorted(Named - Documented):
        yield "FORMAT.md does not explain the reader's invariant %s" % Name
    for Name in sorted(Documented - Named - {"verify"}):
        yield "FORMAT.md explains %s, which no reader checks" % Name


def main(Root):
    Document = read(Root, "proto/FORMAT.md")
    return report((check_version, check_kinds, check_invariants), Root, Document)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
