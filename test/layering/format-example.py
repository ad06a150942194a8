#!/usr/bin/env python3
"""Prints the bytes that proto/FORMAT.md or proto/INDEX.md ends with in hex, to compare
with a file.

usage: format-example.py FORMAT.md > example.itrace

Rows of the section are `offset  bytes  explanation`; offsets must follow one
another.
"""

import re
import sys


def main(Path):
    with open(Path, encoding="utf-8") as File:
        Section = re.split(r"\n## One \w+ in hex\n", File.read())[1]
    Bytes = b""
    for Offset, Hex in re.findall(r"^    ([0-9a-f]{4})  ((?:[0-9a-f]{2} ?)+)(?:  |$)", Section, re.M):
        if int(Offset, 16) != len(Bytes):
            sys.exit("offset %s stands where %04x is meant" % (Offset, len(Bytes)))
        Bytes += bytes.fromhex(Hex)
    sys.stdout.buffer.write(Bytes)


if __name__ == "__main__":
    main(sys.argv[1])
