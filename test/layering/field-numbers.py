#!/usr/bin/env python3
"""Checks that no field number of a protobuf message is written as a number.

usage: field-numbers.py ROOT

Reads the sources in plugin/, runtime/ and utils/ that include protozero, or a
header of ours that does, and reports, one per line with file and line number,
each call of it and each case of a switch that has a literal where a field
belongs. The numbers of our own format are in runtime/format/Schema.h, those of
other tools' formats are named where they are used.
"""

import os
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)
LITERAL = [
    # Writer.add_uint32(3, ...)
    r"\badd_(?:packed_)?\w+\s*\(\s*\d",
    # pbf_writer Entry(Body, 2); packed_field_uint32 Kinds(Body, 16);
    r"\b(?:pbf_writer|pbf_builder(?:<\w+>)?|packed_field_\w+)\s+\w+\s*[({][^;{}]*,\s*\d+\s*[)}]",
    # Message.next(3), Message.next(3, type)
    r"\bnext\s*\(\s*\d",
    # tag_and_type(1, ...), varintTag(2)
    r"\b(?:tag_and_type|\w+Tag|varint|fixed32|fixed64|lengthDelimited)\s*\(\s*\d",
    # switch (Message.tag()) { case 3: ... }, Message.tag() == 3
    r"\bcase\s+\d+\s*:",
    r"\btag(?:_and_type)?\s*\(\s*\)\s*[=!<>]=?\s*\d",
]
PATTERN = re.compile("|".join("(?:%s)" % L for L in LITERAL))
COMMENT = re.compile(r"//[^\n]*")


def sources(Root):
    for Top in ("plugin", "runtime", "utils"):
        for Folder, _, Names in sorted(os.walk(os.path.join(Root, Top))):
            for Name in sorted(Names):
                if Name.endswith((".h", ".cpp")):
                    Path = os.path.join(Folder, Name)
                    with open(Path, encoding="utf-8") as File:
                        yield os.path.relpath(Path, Root), File.read()


def users(Texts):
    """Files that see protozero by any way."""
    Seen = {Path for Path, Text in Texts.items() if "<protozero/" in Text}
    while True:
        More = {
            Path
            for Path, Text in Texts.items()
            if Path not in Seen and Seen & set(INCLUDE.findall(Text))
        }
        if not More:
            return sorted(Seen)
        Seen |= More


def main(Root):
    Texts = dict(sources(Root))
    Found = 0
    Users = users(Texts)
    for Path in Users:
        Text = COMMENT.sub(lambda M: " " * len(M.group()), Texts[Path])
        for Match in PATTERN.finditer(Text):
            LineNo = Text.count("\n", 0, Match.start()) + 1
            Call = " ".join(Match.group().split())
            print("%s:%d: a field has a name, not a number: %s" % (Path, LineNo, Call))
            Found += 1
    print("%d files read, %d field numbers" % (len(Users), Found))
    return 1 if Found or not Users else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
