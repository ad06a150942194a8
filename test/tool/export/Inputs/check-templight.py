"""Reads a Templight trace as templight-tools do, which trust it: in one pass, with
ids that are implicit in the order. What would make them crash is an error here.

usage: check-templight.py FILE BEGINS
"""

import sys


def fields(Bytes):
    """(number, value) of each field; bytes, numbers, or the raw bytes of doubles."""
    At = 0

    def varint():
        nonlocal At
        Value = Shift = 0
        while True:
            Byte = Bytes[At]
            At += 1
            Value |= (Byte & 127) << Shift
            Shift += 7
            if Byte < 128:
                return Value

    while At < len(Bytes):
        Tag = varint()
        if Tag & 7 == 0:
            yield Tag >> 3, varint()
            continue
        Size = 8 if Tag & 7 == 1 else varint()
        assert Tag & 7 in (1, 2) and At + Size <= len(Bytes)
        yield Tag >> 3, Bytes[At : At + Size]
        At += Size


def place(Bytes, Files):
    Place = dict(fields(Bytes))
    assert {2, 3} <= set(Place), Place
    if 1 in Place:
        assert Place[2] == len(Files), Place
        Files.append(Place[1])
    assert Place[2] < len(Files), Place


(Number, Trace), = fields(open(sys.argv[1], "rb").read())
assert Number == 1
Names, Files = 0, []
Begins = Depth = 0
for Number, Value in fields(Trace):
    if Number == 3:
        assert b"\0" not in dict(fields(Value))[1]
        Names += 1
    if Number != 2:
        continue
    (What, Entry), = fields(Value)
    if What == 2:
        Depth -= 1
        assert Depth >= 0
        continue
    Begin = dict(fields(Entry))
    assert list(Begin) == [1, 2, 3, 4, 5, 6], Begin
    assert Begin[1] <= 23 and Begin[5] < 1 << 31
    assert dict(fields(Begin[2]))[3] < Names
    place(Begin[3], Files)
    place(Begin[6], Files)
    Begins += 1
    Depth += 1
assert (Begins, Depth) == (int(sys.argv[2]), 0), (Begins, Depth)
