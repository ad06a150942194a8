#!/usr/bin/env python3
"""Shows what the bytes of indexes are, by groups of sections (proto/INDEX.md).

usage: index_bytes.py FILE.itx...
"""

import os
import struct
import sys

# Sections that there is a row of for each record, or two; and those of names.
GROUPS = [
    ("records", ["RECS", "REQU"]),
    ("ranges", ["RBLK", "RKEY", "RBEG"]),
    ("postings", ["PENT", "PLOC"]),
    ("sums", ["SELB", "SELS", "SELW", "MEMB", "MEMS", "MEMW"]),
    ("entities", ["ENTS", "ENTH", "SETS"]),
    ("strings", ["STRD"]),
    ("places", ["FOLD", "FILE", "LOCS"]),
]


def sections(Path):
    """By tag: bytes, and bytes of a row."""
    with open(Path, "rb") as File:
        Head = File.read(64)
        if Head[:8] != b"insttidx":
            sys.exit("%s: found another begin, expected an index" % Path)
        Rows = [struct.unpack("<4sHHQQII", File.read(32)) for _ in range(struct.unpack_from("<I", Head, 40)[0])]
    return {Row[0].decode(): (Row[4], Row[2]) for Row in Rows}, struct.unpack_from("<Q", Head, 24)[0]


def row(Path):
    Of, TraceBytes = sections(Path)
    Records = Of["RECS"][0] // Of["RECS"][1]
    Entities = Of["ENTS"][0] // Of["ENTS"][1]
    Sums = [sum(Of.get(Tag, (0, 1))[0] for Tag in Tags) for _, Tags in GROUPS]
    Cells = [os.path.basename(Path), "%d" % Records, "%.2f" % (Entities / max(Records, 1))]
    Cells += ["%.1f" % (Bytes / max(Records, 1)) for Bytes in Sums]
    Bytes = os.path.getsize(Path)
    Cells += ["%.1f" % (Bytes / max(Records, 1)), "%.1f" % (Bytes / max(TraceBytes, 1))]
    return Cells


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    Heads = ["index", "records", "entities per record"] + [Name for Name, _ in GROUPS]
    Heads += ["all", "times the trace"]
    print("| " + " | ".join(Heads) + " |\n|---|" + "---:|" * (len(Heads) - 1))
    for Path in sys.argv[1:]:
        print("| " + " | ".join(row(Path)) + " |")


if __name__ == "__main__":
    main()
