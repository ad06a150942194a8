#!/usr/bin/env python3
"""Finds tests that write event records as numbers instead of by name.

usage: raw-records.py ROOT

Records by name are those of proto/text.proto, and of TraceBuilder in unit tests.
The files below have a reason to write numbers; one that does so no more is
reported, too.
"""

import os
import re
import sys

REASONS = {
    "test/layering/planted-faults-are-found.test": "plants some",
    "test/tool/assemble/records-that-are-wrong.test": "numbers beside names are an error",
    "test/unit/support/RawRecords.h": "names the numbers for the ones below",
    "test/unit/runtime/read/TraceReaderHostileTest.cpp": "random numbers, and a million records",
    "test/unit/runtime/read/TraceReaderIssuesTest.cpp": "records that break the grammar",
    "test/unit/runtime/read/TraceReaderTest.cpp": "each form of a reference",
}
ENDINGS = (".test", ".textproto", ".txt", ".py", ".cpp", ".h")
RAW = re.compile(r"\brecord: ?[\[%\d]|\b(?:add|mutable|set)_record\(|\baddRawRecords\(")


def main(Root):
    Read = Found = 0
    WithReason = set()
    for Folder, _, Names in sorted(os.walk(os.path.join(Root, "test"))):
        for Name in sorted(Names):
            Path = os.path.join(Folder, Name)
            File = os.path.relpath(Path, Root)
            if not Name.endswith(ENDINGS) or Name == os.path.basename(__file__):
                continue
            Read += 1
            with open(Path, encoding="utf-8", errors="replace") as Text:
                for LineNo, Line in enumerate(Text, 1):
                    if not RAW.search(Line):
                        continue
                    WithReason.add(File)
                    if File not in REASONS:
                        print("%s:%d: writes records as numbers" % (File, LineNo))
                        Found += 1
    for File in sorted(set(REASONS) - WithReason):
        if os.path.exists(os.path.join(Root, File)):
            print("%s: writes no records as numbers, and is listed in raw-records.py" % File)
            Found += 1
    print("%d files read, %d wrong" % (Read, Found))
    return 1 if Found or not Read else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
