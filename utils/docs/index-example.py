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
    "COMP": "string of the trace:8,string of the input:8,begin, CLOCK_MONOTONIC:8,begin since 1970:8,last event:8,"
    "sequence:4,first record:4,first block of ranges:4,first range:4,intervals without an end:4,flags:4",
    "FILE": "string of the path:8",
    "LOCS": "file:4,line:4,column:4,first posting:4",
    "ENTS": "string of the name:8,hash:8,template set:4,declared at location:4,first posting:4,kind and reserved:4",
    "ENTC": "self time:8,inclusive time:8,bytes of syntax tree:8,memoized:8,records:4,definitions:4,costliest record:4,"
    "reserved:4",
    "ENTH": "entity:4",
    "SETS": "string of the name:8,hash:8",
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
    "TDIR": "offset in TABL:8,bytes:8",
}
ROWS["SETC"] = ROWS["ENTC"]
BY = "template specialization class namespace library kind file directory line header user-frame function".split()
def tables(Document):
    """Of proto/INDEX.md: names and columns, of which those with + are differences."""
    Rows = re.findall(r"^\| (\d+) ([a-z A-Z]+) \| ([^|]+) \|", Document.split("\n## The tables\n")[1], re.M)
    return [(Name, [C.strip() for C in Columns.split(",")]) for _, Name, Columns in Rows]


class Example:
    def __init__(self, Bytes, Tables):
        self.Bytes, self.Tables, self.At, self.Lines = Bytes, Tables, 0, []

    def put(self, Size, Text):
        """The next bytes, sixteen in a row."""
        for Begin in range(0, Size, 16):
            Hex = self.Bytes[self.At : self.At + min(16, Size - Begin)].hex(" ")
            Said = Text if Begin == 0 else "  ..."
            self.Lines.append("    %04x  %-47s  %s" % (self.At, Hex, Said))
            self.At += min(16, Size - Begin)

    def number(self, Size):
        return int.from_bytes(self.Bytes[self.At : self.At + Size], "little")

    def varint(self):
        """Its value and bytes."""
        Value = Size = 0
        while True:
            Byte = self.Bytes[self.At + Size]
            Value |= (Byte & 0x7F) << 7 * Size
            Size += 1
            if Byte < 0x80:
                return Value, Size

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

    def counted(self, Text):
        Value, Size = self.varint()
        self.put(Size, Text % Value)
        return Value

    def summary(self, End):
        Parts = [self.counted("SUMM: %d parts")]
        Sizes = []
        for _ in range(Parts[0]):
            No, First = self.varint()
            self.At += First
            Bytes, Second = self.varint()
            self.At -= First
            Name = "about" if No == 0 else "inclusions" if No == 1 else "by " + BY[No - 2]
            self.put(First + Second, "  part %d, %s: %d bytes" % (No, Name, Bytes))
            Sizes.append((Name, Bytes))
        for Name, Bytes in Sizes:
            PartEnd = self.At + Bytes
            if Name == "about":
                self.about()
            elif Name == "inclusions":
                for _ in range(self.counted("inclusions: %d")):
                    self.varints(5, "outer, string of the path, line, count, time")
            else:
                self.varints(8, "%s, totals" % Name)
                for _ in range(self.counted("  rows: %d")):
                    self.summary_row()
            assert self.At == PartEnd

    def about(self):
        for _ in range(self.counted("about: %d trace")):
            self.varints(2, "  string of the path, incomplete")
        Compiles = self.counted("  compiles: %d")
        self.varints(3, "  hook=observer: compiles, instantiations, not timed")
        for _ in range(Compiles):
            self.varints(4, "  of the compile: strings of its path, object, target, hook; 0: none")

    def summary_row(self):
        Flags = self.Bytes[self.At]
        Begin = self.At
        self.At += 2
        Numbers = []
        for _ in range(9 + (Flags >> 2 & 1) + (Flags >> 3 & 1) + 9 * (Flags >> 4 & 1)):
            Value, Size = self.varint()
            Numbers.append(Value)
            self.At += Size
        Size, self.At = self.At - Begin, Begin
        Said = " ".join(map(str, Numbers[1:]))
        self.put(Size, "  flags %d, kind %d, string %x; %s" % (Flags, self.Bytes[Begin + 1], Numbers[0], Said))

    def varints(self, Count, Text):
        Begin, Numbers = self.At, []
        for _ in range(Count):
            Value, Size = self.varint()
            Numbers.append(str(Value))
            self.At += Size
        Size, self.At = self.At - Begin, Begin
        self.put(Size, "%s: %s" % (Text, " ".join(Numbers)))

    def tables(self, Slices):
        for No, _, Size in sorted(Slices, key=lambda Slice: Slice[1]):
            Name, Columns = self.Tables[No % len(self.Tables)]
            Begin, End = self.At, self.At + Size
            Before = [0] * len(Columns)
            while self.At != End:
                RowAt = self.At
                for I, Column in enumerate(Columns):
                    Value, Bytes = self.varint()
                    self.At += Bytes
                    if Column.startswith("+"):
                        Value = Before[I] + (Value >> 1 ^ -(Value & 1))
                    Before[I] = Value
                Said = ", ".join("%s %d" % (C.lstrip("+"), V) for C, V in zip(Columns, Before))
                RowBytes, self.At = self.At - RowAt, RowAt
                self.put(RowBytes, "TABL %s: %s" % (Name, Said) if RowAt == Begin else "  " + Said)

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
        Slices = []
        for Tag, Offset, Size, Rows in Sections:
            if Offset != self.At:
                self.put(Offset - self.At, "padding")
            self.SectionBegin = Offset
            if Tag == "STRD":
                self.strings(Offset + Size)
            elif Tag == "SUMM":
                self.summary(Offset + Size)
            elif Tag == "TABL":
                self.tables(Slices)
            else:
                for No in range(Rows):
                    if Tag == "TDIR":
                        Slices.append((No,) + struct.unpack_from("<QQ", self.Bytes, self.At))
                    self.row(Tag, No)
        return "\n".join(self.Lines) + "\n"


def main(Path, Index):
    with open(Path, encoding="utf-8") as File:
        Document = File.read()
    with open(Index, "rb") as File:
        Text = Example(File.read(), tables(Document)).write()
    Begin = re.split(r"(?<=\n)(?=    0000  )", Document)[0]
    with open(Path, "w", encoding="utf-8") as File:
        File.write(Begin + Text)


if __name__ == "__main__":
    main(*sys.argv[1:])
