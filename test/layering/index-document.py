#!/usr/bin/env python3
"""Checks that proto/INDEX.md says what the code does.

usage: index-document.py ROOT

The version table ends with the version of runtime/index/IndexFormat.h, whose
constants are in the table of constants; the table of sections is
runtime/index/Sections.def with the sizes that IndexFormat.h asserts.
"""

import re
import sys

from proto_document import read, report, section, table

def constant(Header, Name):
    return re.search(r"constexpr \w+ %s = (\d+);" % Name, Header).group(1)


def check_version(Root, Header, Document):
    Code = constant(Header, "IndexMajor") + "." + constant(Header, "IndexMinor")
    Rows = table(section(Document, "Versions"))
    Last = Rows[-1][0] if Rows else "nothing"
    if Last != Code:
        yield "the version table ends with %s, IndexFormat.h says %s" % (Last, Code)


def check_constants(Root, Header, Document):
    Rows = re.findall(r"^\| `(\w+)` \| (\d+) \|", section(Document, "Container"), re.M)
    if not Rows:
        yield "INDEX.md has no constants"
    for Name, Value in Rows:
        if constant(Header, Name) != Value:
            yield "INDEX.md says %s for %s, IndexFormat.h %s" % (Value, Name, constant(Header, Name))


def check_sections(Root, Header, Document):
    Sizes = dict(re.findall(r"static_assert\(sizeof\((\w+)\) == (\d+)\);", Header))
    Sizes.update(uint32_t="4", uint64_t="8")
    Row = r'^INDEX_SECTION\(\w+, "(\w+)", (\d+), (?:sizeof\((\w+)\)|(\d+))\)'
    Code = [
        [Tag, Version, Sizes[Type] if Type else Bytes]
        for Tag, Version, Type, Bytes in re.findall(Row, read(Root, "runtime/index/Sections.def"), re.M)
    ]
    Said = [R[:3] for R in table(section(Document, "Sections"))]
    if Code != Said:
        yield "INDEX.md has the sections %s, the code %s" % (Said, Code)


def main(Root):
    Document = read(Root, "proto/INDEX.md")
    Header = read(Root, "runtime/index/IndexFormat.h")
    Checks = (check_version, check_constants, check_sections)
    return report(Checks, Root, Header, Document)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
