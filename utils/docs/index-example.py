#!/usr/bin/env python3
"""Writes the bytes of a small index with what they mean, as proto/INDEX.md ends with.

usage: index-example.py INDEX.md X.itx

They take the place of those that are there.

Layout: proto/INDEX.md, whose example test/layering/index-example-is-exact.test compares
with what `instantrace index` makes.
"""

import re
import struct
import sys

# Fields of a row: name and bytes; a name with `string` is an offset in STRD.
ROWS = {
    "COMP": "string of the trace:8,string of the input:8,string of the folder:8,begin since 1970:8,last event:8,"
    "sequence:4,first record:4,first block of ranges:4,first folder:4,intervals without an end:4,flags:4",
    "FOLD": "string of the path:8",
    "FILE": "string of the path:8",
    "LOCS": "file:4,line:4,column:4,first posting:4",
    "ENTS": "string of the name:8,hash:8,template set:4,declared at location:4,first posting:4,kind and reserved:4",
    "ENTH": "entity:4",
    "SETS": "string of the name:8",
    "RECS": "entity:4,location:4,parent:4,subtree end:4,kind, flags, depth:4",
    "REQU": "record:4,requested by:4",
    "RBLK": "begins at:8,first range:4,first record:4",
    "RKEY": "range begins, relative to its block:4",
    "RBEG": "begins, from the right:8",
    "PENT": "record:4",
    "PLOC": "record:4",
    "SELB": "base:8",
    "SELS": "self times of the records before:4",
    "SELW": "sum:8,records:4,reserved:4",
    "MEMB": "base:8",
    "MEMS": "memory of the records before:4",
    "MEMW": "sum:8,records:4,reserved:4",
}


class Example:
    def __init__(self, Bytes):
        self.Bytes, self.At, self.Lines = Bytes, 0, []

    def put(self, Size, Text):
        """The next bytes, sixteen in a row."""
        for Begin in range(0, Size, 16):
            Hex = self.Bytes[self.At : self.At + min(16, Size - Begin)].hex(" ")
            Said = Text if Begin == 0 else "  ..."
            self.Lines.append("    %04x  %-47s  %s" % (self.At, Hex, Said))
            self.At += min(16, Size - Begin)

    def number(self, Size):
        return int.from_bytes(self.Bytes[self.At : self.At + Size], "little")

    def row(self, Tag, No):
        Begin = "%s %d: " % (Tag, No)
        for Field in re.findall(r"([^:]+):(\d),?", ROWS[Tag]):
            Name, Size = Field[0], int(Field[1])
            Value = self.number(Size)
            if Value == (1 << 8 * Size) - 1:
                Shown = "none"
            elif Name == "kind, flags, depth":
                Shown = "%d, %d, %d" % (Value & 0xFF, Value >> 8 & 0xFF, Value >> 16)
            elif Tag == "RBEG":
                Shown = bin(Value)[2:]
            elif Name == "hash":
                Shown = ""
            else:
                Shown = "%x" % Value if "string" in Name else str(Value)
            self.put(Size, "%s%s%s" % (Begin, Name, " " + Shown if Shown else ""))
            Begin = "  "

    def strings(self, End):
        while self.At != End:
            self.put(6, "STRD entry %d, first and last byte" % self.number(4))
            Size, Shown = 0, ""
            while self.Bytes[self.At + Size] != 0xFF:
                if self.Bytes[self.At + Size] == 0xFE:
                    Shown += "<string %x>" % self.reference(Size)
                    Size += 6
                else:
                    Shown += chr(self.Bytes[self.At + Size])
                    Size += 1
            self.put(Size + 1, 'string %x: "%s", end' % (self.At - self.SectionBegin, Shown))

    def reference(self, Size):
        """Of the five bytes behind FE, as an offset in STRD."""
        return int.from_bytes(self.Bytes[self.At + Size + 1 : self.At + Size + 6], "little") - 0x80001000

    def write(self):
        Count, Sums = struct.unpack_from("<II", self.Bytes, 40)
        for Size, Text in (
            (8, 'magic "insttidx"'),
            (4, "version %d.%d" % struct.unpack_from("<HH", self.Bytes, 8)),
            (4, "64 bytes of header"),
            (8, "%d bytes of file" % struct.unpack_from("<Q", self.Bytes, 16)),
            (8, "%d bytes of trace" % struct.unpack_from("<Q", self.Bytes, 24)),
            (8, "XXH3-64 of the trace"),
            (4, "%d sections" % Count),
            (4, "%d checksums" % Sums),
            (8, "reserved"),
            (8, "checksum of the bytes before, of the table and of the checksums"),
        ):
            self.put(Size, Text)
        Sections = []
        for _ in range(Count):
            Tag, Version, RowBytes, Offset, Size, First, SumCount = struct.unpack_from("<4sHHQQII", self.Bytes, self.At)
            Tag = Tag.decode()
            Rows = Size // RowBytes
            self.put(16, "%s version %d, rows of %d, at %04x" % (Tag, Version, RowBytes, Offset))
            self.put(
                16,
                "  %d %s in %d bytes; checksums %d, from number %d"
                % (Rows, "row" if Rows == 1 else "rows", Size, SumCount, First),
            )
            Sections.append((Tag, Offset, Size, Rows))
        for No in range(Sums):
            self.put(8, "checksum %d" % No)
        for Tag, Offset, Size, Rows in Sections:
            if Offset != self.At:
                self.put(Offset - self.At, "padding")
            self.SectionBegin = Offset
            if Tag == "STRD":
                self.strings(Offset + Size)
            else:
                for No in range(Rows):
                    self.row(Tag, No)
        return "\n".join(self.Lines) + "\n"


def main(Path, Index):
    with open(Path, encoding="utf-8") as File:
        Document = File.read()
    with open(Index, "rb") as File:
        Text = Example(File.read()).write()
    Begin = re.split(r"(?<=\n)(?=    0000  )", Document)[0]
    with open(Path, "w", encoding="utf-8") as File:
        File.write(Begin + Text)


if __name__ == "__main__":
    main(*sys.argv[1:])
