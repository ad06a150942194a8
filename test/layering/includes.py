#!/usr/bin/env python3
"""Checks which way includes run between the rooms of the repository.

usage: includes.py ROOT [ROOMS]      reports each wrong include, one per line
       includes.py --self-test       plants each include that is wrong
       includes.py --table           the table for docs/design/architecture.md
       includes.py --table DOCUMENT  reports each line of it that differs there
       includes.py --numbers ROOT    files, lines and arrows of each room

ROOMS is rooms.txt, which says what a room is and what each may include. Beside
wrong includes, these are reported: a folder that is in no room, a room without
sources, a circle of rooms, a circle of files, a standard header that is not in the
list, and a name of a standard header that no include leads to.
"""

import configparser
import os
import re
import sys
import tempfile

TREES = ("plugin", "proto", "runtime", "utils", "test/unit", "test/fuzz", "test/stress")
OURS = ("plugin", "proto", "runtime", "utils", "test")
SOURCES = (".h", ".hpp", ".c", ".cc", ".cpp", ".def", ".inc")
# protoc writes what is included from there.
GENERATED = "proto"

DIRECTIVE = re.compile(r"\s*#\s*(?:include|include_next|import)\b(.*)")
INCLUDE = re.compile(r'\s*([<"])([^>"]+)[>"]')


class Rooms:
    """What rooms.txt says."""

    def __init__(self, Path):
        Config = configparser.ConfigParser(
            delimiters="=", comment_prefixes="#", empty_lines_in_values=False
        )
        Config.optionxform = str  # names have capitals
        with open(Path, encoding="utf-8") as File:
            Config.read_file(File)
        Groups = {Name: Value.split() for Name, Value in Config["groups"].items()}
        self.Groups = Groups
        self.Written = {Room: Value.split() for Room, Value in Config["rooms"].items()}

        def expanded(Words):
            Found = []
            for Word in Words:
                Inner = expanded(Groups[Word]) if Word in Groups else [Word]
                Found += [Room for Room in Inner if Room not in Found]
            return Found

        self.May = {
            Room: [To for To in expanded(Value.split()) if To != Room]
            for Room, Value in Config["rooms"].items()
        }
        self.Foreign = {
            Prefix: expanded(Value.split())
            for Prefixes, Value in Config["foreign"].items()
            for Prefix in Prefixes.split()
        }
        self.Standard = set(
            Header for Value in Config["standard"].values() for Header in Value.split()
        )
        # The integers of C are written without std::.
        self.Declares = {
            Header: re.compile(
                r"%s(?:%s)\b"
                % (r"\b" if Header == "cstdint" else r"\bstd::", "|".join(Names.split()))
            )
            for Header, Names in Config["declares"].items()
        }

    def of(self, File):
        """The room of a file: it has its own, or its folder, or a tree is one."""
        if File in self.May:
            return File
        Folder = os.path.dirname(File)
        if Folder in self.May:
            return Folder
        while Folder:
            if Folder + "/**" in self.May:
                return Folder + "/**"
            Folder = os.path.dirname(Folder)
        return None

    def declaring(self, Line):
        """The headers that declare what a line of code names."""
        Code = Line.split("//")[0]
        return {H for H, Names in self.Declares.items() if Names.search(Code)}

    def problems(self):
        """What is wrong with the table itself."""
        for Room, To in [*self.May.items(), *self.Foreign.items()]:
            for Unknown in [T for T in To if T not in self.May]:
                yield "rooms: %s names %s, which is no room" % (Room, Unknown)
        for Circle in circles(self.May):
            yield "rooms: a circle: " + " -> ".join(Circle)


def circles(Arrows):
    """One circle for each arrow that runs back, as [A, ..., A]."""
    Done, Path = set(), []

    def visit(At):
        if At in Path:
            yield [*Path[Path.index(At) :], At]
        elif At not in Done:
            Path.append(At)
            for To in Arrows.get(At, ()):
                yield from visit(To)
            Path.pop()
            Done.add(At)

    for Start in sorted(Arrows):
        yield from visit(Start)


def reached(Start, Arrows):
    """Where arrows lead from there."""
    Seen, Next = set(), [Start]
    while Next:
        New = set(Arrows.get(Next.pop(), ())) - Seen
        Seen |= New
        Next += New
    return Seen


def listed(Names):
    return "only " + ", ".join(Names) if Names else "only itself"


def included(Line):
    """What a line includes; None if it does not, or by a macro."""
    Directive = DIRECTIVE.match(Line)
    Include = Directive and INCLUDE.match(Directive.group(1))
    return Include and Include.group(2)


def violation(File, Line, R):
    """Why a file may not have this line; None if it may."""
    Directive = DIRECTIVE.match(Line)
    if not Directive:
        return None
    Room = R.of(File)
    Include = INCLUDE.match(Directive.group(1))
    if not Include:
        return "%s: an include that is written by a macro" % Room
    Quote, Name = Include.groups()
    for Prefix, Users in R.Foreign.items():
        if Name == Prefix or (Prefix.endswith("/") and Name.startswith(Prefix)):
            if Room in Users:
                return None
            return "%s may not use %s (%s)" % (Room, Name, listed(Users))
    if Name.split("/")[0] in OURS and "/" in Name:
        To = R.of(Name)
        if To is None:
            return "%s may not include %s, which is in no room" % (Room, Name)
        if To == Room or To in R.May[Room]:
            return None
        return "%s may not include %s (%s)" % (Room, Name, listed(R.May[Room]))
    if Quote == '"':
        return '"%s" is not written from the root of the repository' % Name
    if Name not in R.Standard:
        return "%s: <%s> is neither a known standard header nor a known dependency" % (
            Room,
            Name,
        )
    return None


def sources(Root):
    for Tree in TREES:
        for Folder, _, Names in sorted(os.walk(os.path.join(Root, Tree))):
            for Name in sorted(Names):
                if Name.endswith(SOURCES):
                    yield os.path.relpath(os.path.join(Folder, Name), Root)


def check(Root, R):
    """Yields what is wrong, and returns how many files were read."""
    yield from R.problems()
    Files, Used, Unlisted = {}, {GENERATED}, set()
    Names = {}  # by file, the headers of what it names, each with a line
    for File in sources(Root):
        Files[File] = []
        Names[File] = {}
        Room = R.of(File)
        Used.add(Room)
        if Room is None:
            Folder = os.path.dirname(File)
            if Folder not in Unlisted:
                Unlisted.add(Folder)
                yield "%s: a folder with sources that is in no room" % Folder
            continue
        with open(os.path.join(Root, File), encoding="utf-8") as Source:
            for LineNo, Line in enumerate(Source, 1):
                Why = violation(File, Line, R)
                if Why:
                    yield "%s:%d: %s" % (File, LineNo, Why)
                Name = included(Line)
                if Name and Name != File:
                    Files[File].append(Name)
                # Lists are read where another file includes them.
                for Header in () if File.endswith((".def", ".inc")) else R.declaring(Line):
                    Names[File].setdefault(Header, LineNo)
    for Room in R.May:
        if Room not in Used:
            yield "rooms: %s has no sources" % Room
    for File, Headers in Names.items():
        for Header in sorted(Headers.keys() - reached(File, Files)):
            Where = "%s:%d" % (File, Headers[Header])
            yield "%s: nothing that it includes leads to <%s>" % (Where, Header)
    for Circle in circles(Files):
        yield "a circle of files: " + " -> ".join(Circle)
    return len(Files)


def report(Root, R):
    Problems = check(Root, R)
    Found = 0
    while True:
        try:
            print(next(Problems))
            Found += 1
        except StopIteration as End:
            Files = End.value
            break
    print("%d files read, %d wrong includes" % (Files, Found))
    return 1 if Found or not Files else 0


def inside(Room, Name):
    """The path of a file of that name that is in the room."""
    if Room.endswith("/**"):
        return Room[:-2] + "below/" + Name
    return Room if "." in Room else Room + "/" + Name


def selfTest(R):
    """In each room, plants every include of another room, known dependency and
    unknown header. What the table refuses has to be found, and nothing else."""
    Rooms = [Room for Room in R.May if Room != GENERATED]
    Expected, Mistakes = set(), []
    with tempfile.TemporaryDirectory() as Root:
        for Room in Rooms:
            File = inside(Room, "Planted.cpp")
            Planted = []  # an include, and whether it is refused
            for To in R.May:
                IsRefused = To != Room and To not in R.May[Room]
                Planted.append(('"%s"' % inside(To, "Other.h"), IsRefused))
            if not any(IsRefused for _, IsRefused in Planted):
                Mistakes.append("%s: has no wall" % Room)
            for Prefix, Users in R.Foreign.items():
                Header = Prefix + "x.h" if Prefix.endswith("/") else Prefix
                Planted.append(("<%s>" % Header, Room not in Users))
            Planted += [("<%s>" % Header, False) for Header in sorted(R.Standard)]
            Planted += [("<bzlib.h>", True), ("<boost/any.hpp>", True)]
            Path = os.path.join(Root, File)
            os.makedirs(os.path.dirname(Path), exist_ok=True)
            with open(Path, "w", encoding="utf-8") as To:
                To.writelines("#include %s\n" % Include for Include, _ in Planted)
            Expected |= {
                "%s:%d" % (File, LineNo)
                for LineNo, (_, IsRefused) in enumerate(Planted, 1)
                if IsRefused
            }
        # Names whose header another file includes, and one whose header none does.
        Room = next(Room for Room in Rooms if "." not in Room)
        Expected.add("%s:4" % inside(Room, "Names.cpp"))
        for Name, Lines in (
            ("Names.h", ["#include <optional>"]),
            (
                "Names.cpp",
                ['#include "%s"' % inside(Room, "Names.h"), "#include <cstdint>"]
                + ["std::optional<uint64_t> A; // std::vector", "std::vector<int> B;"],
            ),
        ):
            with open(os.path.join(Root, inside(Room, Name)), "w") as To:
                To.write("\n".join(Lines))
        # The rooms that are one file include one another there.
        Found = {
            ":".join(Why.split(":")[:2])
            for Why in check(Root, R)
            if not Why.startswith("a circle of files: ")
        }
    Mistakes += ["%s: not found" % Place for Place in sorted(Expected - Found)]
    Mistakes += ["%s: found, and allowed" % Place for Place in sorted(Found - Expected)]
    for Mistake in Mistakes:
        print(Mistake)
    print(
        "%d rooms, %d planted includes found, %d mistakes"
        % (len(Rooms), len(Expected & Found), len(Mistakes))
    )
    return 1 if Mistakes or not Expected else 0


def table(R):
    """What rooms.txt says, as a table for a document; groups are in italics."""

    def cell(Words):
        Marked = ["*%s*" % W if W in R.Groups else "`%s`" % W for W in Words]
        return ", ".join(Marked) or "–"

    yield "| room | may include, beside itself | third-party headers |"
    yield "|---|---|---|"
    for Group, Words in R.Groups.items():
        yield "| *%s* | %s | |" % (Group, cell(Words))
    for Room, Words in R.Written.items():
        Foreign = [Prefix for Prefix, Users in R.Foreign.items() if Room in Users]
        yield "| `%s` | %s | %s |" % (Room, cell(Words), cell(Foreign))


def compare(R, Document):
    """The table has to be in the document, and nothing within it."""
    with open(Document, encoding="utf-8") as File:
        Lines = File.read().splitlines()
    Table = list(table(R))
    if Table[0] not in Lines:
        print("%s: the table of rooms is not there" % Document)
        return 1
    First = Lines.index(Table[0])
    Last = First
    while Last < len(Lines) and Lines[Last].startswith("|"):
        Last += 1
    Found = Lines[First:Last]
    Wrong = ["lacks " + Line for Line in Table if Line not in Found]
    Wrong += ["has " + Line for Line in Found if Line not in Table]
    if not Wrong and Found != Table:
        Wrong = ["has another order than rooms.txt"]
    for Line in Wrong:
        print("%s: %s" % (Document, Line))
    print("%d rows, %d disagreements with rooms.txt" % (len(Found), len(Wrong)))
    return 1 if Wrong else 0


def numbers(Root, R):
    """The rooms below ROOT, also of another day: then folders are rooms. Arrows
    are the rooms that one includes; those of a circle lead back to it."""
    FilesOf, LinesOf, Arrows = {}, {}, {}

    def room(File):
        return R.of(File) or os.path.dirname(File)

    for File in sources(Root):
        Room = room(File)
        if Room.startswith("test/"):
            continue
        with open(os.path.join(Root, File), encoding="utf-8") as Source:
            Lines = Source.readlines()
        FilesOf[Room] = FilesOf.get(Room, 0) + 1
        LinesOf[Room] = LinesOf.get(Room, 0) + len(Lines)
        To = Arrows.setdefault(Room, set())
        for Name in filter(None, map(included, Lines)):
            if Name.split("/")[0] in OURS and room(Name) != Room:
                To.add(room(Name))

    Back = {
        Room: sum(Room in reached(To, Arrows) for To in Arrows[Room]) for Room in Arrows
    }
    print("| room | files | lines | arrows | of them in circles |")
    print("|---|---:|---:|---:|---:|")
    for Room in sorted(FilesOf):
        Row = (Room, FilesOf[Room], LinesOf[Room], len(Arrows[Room]), Back[Room])
        print("| `%s` | %d | %d | %d | %d |" % Row)
    Sums = [sum(Of.values()) for Of in (FilesOf, LinesOf)]
    Sums += [sum(map(len, Arrows.values())), sum(Back.values())]
    print("| %d rooms | %d | %d | %d | %d |" % (len(FilesOf), *Sums))
    return 0


def main(Arguments):
    Here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rooms.txt")
    What, *Rest = Arguments
    if What == "--self-test":
        return selfTest(Rooms(Here))
    if What == "--table" and Rest:
        return compare(Rooms(Here), Rest[0])
    if What == "--table":
        print("\n".join(table(Rooms(Here))))
        return 0
    if What == "--numbers":
        return numbers(Rest[0], Rooms(Here))
    return report(What, Rooms(Rest[0] if Rest else Here))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
