"""What stands in a trace's tables: names, places and batches of events.

A reader of its own, so that a test does not ask Instantrace whether Instantrace
is right. Layout: proto/trace.proto, proto/FORMAT.md.
"""


def varint(Bytes, At):
    Value = Shift = 0
    while True:
        Byte = Bytes[At]
        At += 1
        Value |= (Byte & 0x7F) << Shift
        Shift += 7
        if Byte < 0x80:
            return Value, At


def fields(Bytes):
    """(number, value) of one message; value is an int or bytes."""
    At = 0
    while At < len(Bytes):
        Key, At = varint(Bytes, At)
        Number, Wire = Key >> 3, Key & 7
        if Wire == 0:
            Value, At = varint(Bytes, At)
        elif Wire == 2:
            Size, At = varint(Bytes, At)
            Value, At = Bytes[At : At + Size], At + Size
        else:
            Size = {1: 8, 5: 4}[Wire]
            Value, At = int.from_bytes(Bytes[At : At + Size], "little"), At + Size
        yield Number, Value


def column(Message, Number):
    Values = []
    for N, Value in Message:
        if N != Number:
            continue
        At = 0
        while At < len(Value):
            One, At = varint(Value, At)
            Values.append(One)
    return Values


def signed(Value):
    return (Value >> 1) ^ -(Value & 1)


def one(Message, Number):
    return next((Value for N, Value in Message if N == Number), 0)


class Tables:
    """ids count from 1; element 0 of each list stands for "none"."""

    def __init__(self, Path):
        with open(Path, "rb") as File:
            Bytes = File.read()
        self.Texts = [(b"", [])]
        self.EntityNames = [0]  # dictionary ids
        self.Locations = [(0, 0, 0)]  # dictionary id of the file, line, column
        self.Expanded = {}
        self.Events = None  # as the footer counts them
        self.Dropped = 0
        self.FirstShortName = 0
        self.WholeNames = set()
        for Number, Packet in fields(Bytes):
            for Body, Message in fields(Packet):
                self.take(Body, Message)

    def take(self, Body, Message):
        if Body == 3:
            for Number, Entry in fields(Message):
                if Number == 2:
                    Parts = list(fields(Entry))
                    self.Texts.append((one(Parts, 1) or b"", column_or_ids(Parts)))
        elif Body == 4:
            Parts, Line = list(fields(Message)), 0
            for File, Delta, Column in zip(
                column(Parts, 2), column(Parts, 3), column(Parts, 4)
            ):
                Line += signed(Delta)
                self.Locations.append((File, Line, Column))
        elif Body == 5:
            Name = 0
            for Delta in column(list(fields(Message)), 2):
                Name += signed(Delta)
                self.EntityNames.append(Name)
        elif Body == 8:
            Parts = list(fields(Message))
            self.Events, self.Dropped = one(Parts, 6), one(Parts, 7)
            self.FirstShortName = one(Parts, 13)
            self.WholeNames = set(column(Parts, 17))

    def text(self, Id):
        if Id not in self.Expanded:
            Marked, Ids = self.Texts[Id]
            Pieces = Marked.decode(errors="replace").split("\0")
            Out = [Pieces[0]]
            for Marker, Piece in zip(Ids, Pieces[1:]):
                Out += [self.text(Marker), Piece]
            self.Expanded[Id] = "".join(Out)
        return self.Expanded[Id]

    def entity(self, Id):
        return self.text(self.EntityNames[Id]) or "<unnamed>"

    def short_names(self):
        """(id, text) of the entities that have no more."""
        First = self.FirstShortName or len(self.EntityNames)
        Others = (Id for Id in range(First, len(self.EntityNames)) if Id not in self.WholeNames)
        return [(Id, self.entity(Id)) for Id in Others if self.EntityNames[Id]]

    def early_names(self):
        """(id, text) of the entities that were named before their batch was."""
        return [(Id, self.entity(Id)) for Id in self.WholeNames if Id < len(self.EntityNames)]

    def location(self, Id, WithColumn):
        File, Line, Column = self.Locations[Id]
        Place = "%s:%d" % (self.text(File), Line)
        return Place + ":%d" % Column if WithColumn else Place


def column_or_ids(Entry):
    """marker_ids, packed or one by one."""
    Ids = []
    for Number, Value in Entry:
        if Number != 2:
            continue
        Ids += [Value] if isinstance(Value, int) else column([(2, Value)], 2)
    return Ids
