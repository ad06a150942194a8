#!/usr/bin/env python3
"""Gives every command each kind of file that is no trace, where it wants one.

usage: wrong-inputs.py TRACE FOLDER

Makes the files in FOLDER, an empty one, out of TRACE where they are like one.
Each answer has to name the file and to say in words what was found and what was
expected, by exit code 1. Prints how many answers there were, and those that are
not so.
"""

import gzip
import os
import re
import shutil
import subprocess
import sys

# How each command is asked for something of the file FILE.
COMMANDS = {
    "summary": ["FILE"],
    "summary --by=header": ["FILE"],
    "tree": ["FILE"],
    "why": ["FILE", "Box"],
    "annotate": ["FILE", "a.cpp"],
    "headers": ["FILE"],
    "duplicates": ["FILE"],
    "at --event 1": ["FILE"],
    "at --under 1": ["FILE"],
    "replay --batch -ex step": ["FILE"],
    "depth": ["FILE"],
    "constraints": ["FILE"],
    "overloads": ["FILE"],
    "advise": ["FILE"],
    "critical-path": ["FILE"],
    "touch": ["FILE"],
    "diff": ["FILE", "TRACE"],
    "diff --json": ["TRACE", "FILE"],
    "budget": ["bounds", "FILE"],
    "dump": ["FILE"],
    "dump --format=textproto": ["FILE"],
    "names": ["FILE"],
    "verify": ["FILE"],
    "index": ["FILE"],
    "compact": ["FILE"],
    "merge -o merged.itrace": ["FILE", "TRACE"],
    "split -o parts": ["FILE"],
    "export --to=perfetto -o exported": ["FILE"],
    "export --to=flamegraph -o a.svg": ["FILE"],
    "report -o a.html": ["FILE"],
    "query": ["FILE", "SELECT 1"],
}

# Those that are given no file: others are above, or in OTHERS.
WITHOUT = {"run", "record", "collect", "doctor", "clean", "completion", "lsp", "mcp", "man", "help", "version"}

# What each kind of file is called.
KINDS = {
    "empty.itrace": "an empty file",
    "notes.txt": "a text that begins with 'int main() {}'",
    "indented": "a text that begins with 'second line'",
    "any.json": "JSON",
    "list.json": "JSON or another text that begins with '[1, 2]'",
    "cut.json": "JSON",
    "a.o": "an ELF object file",
    "a.out": "an ELF program",
    "cut.o": "the begin of an ELF file",
    "a.gz": "a text that begins with 'int main() {}'",
    "b.sqlite": "a database of SQLite",
    "zeros.itrace": "zeros",
    "noise": "something else",
    "other.pbf": "something else",
    "folder": "no *.itrace file in this folder",
    "missing.itrace": "no such file or directory",
}

# Where something else than a trace is wanted, or an index is given for a trace:
# the words, the file, and what it is called.
OTHERS = [
    (["budget", "a.o", "TRACE"], "a.o", "an ELF object file"),
    (["budget", "TRACE", "notes.txt"], "shop.itrace", "a trace"),
    (["assemble", "-o", "x", "TRACE"], "shop.itrace", "a trace"),
    (["assemble", "-o", "x", "empty.itrace"], "empty.itrace", "an empty file"),
    (["recover", "notes.txt"], "notes.txt", "a text that begins with"),
    (["recover", "TRACE"], "shop.itrace", "a trace, which needs no recovery"),
    (["attach", "--once", "a.o"], "a.o", "an ELF object file"),
    (["store", "add", "notes.txt"], "notes.txt", "a file"),
    (["store", "add", "folder"], "folder/session.json", "no such file or directory"),
    (["dump", "shop.itx"], "shop.itx", "an index"),
    (["names", "shop.itx"], "shop.itx", "an index"),
    (["merge", "-o", "merged.itrace", "shop.itx", "TRACE"], "shop.itx", "an index"),
    (["export", "--to=perfetto", "-o", "x", "shop.itx"], "shop.itx", "an index"),
]


def make(Trace):
    ELF = b"\x7fELF\x02\x01\x01" + bytes(9)
    Files = {
        "empty.itrace": b"",
        "notes.txt": b"int main() {}\n",
        "indented": b"\n\n  second line\nthird\n",
        "any.json": b'{"name": "x", "list": [1, 2]}\n',
        "list.json": b"[1, 2]\n",
        "cut.json": b'{"traceEvents": [{"name": "x',
        "a.o": ELF + b"\x01\x00\x3e\x00" + bytes(40),
        "a.out": ELF + b"\x02\x00\x3e\x00" + bytes(40),
        "cut.o": ELF[:9],
        "a.gz": gzip.compress(b"int main() {}\n"),
        "b.sqlite": b"SQLite format 3\0" + bytes(100),
        "zeros.itrace": bytes(300),
        "noise": bytes(range(0x80, 0x100)),
        "other.pbf": b"\x0a\x10\x0a\x09\x08\x01\x12\x05a.cpp\x1a\x03\x0a\x01B",
        "bounds": b"count <= 1000\n",
    }
    for Name, Bytes in Files.items():
        with open(Name, "wb") as File:
            File.write(Bytes)
    os.makedirs("folder/below")
    shutil.copy("notes.txt", "folder/below/notes.txt")


def checkCommands():
    """None of Commands.def is forgotten."""
    Folder = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(Folder, "../../../../utils/commands/Commands.def")) as File:
        Defined = {re.sub("(?<=[a-z])([A-Z])", r"-\1", Name).lower() for Name in re.findall(r"^COMMAND\((\w+)\)", File.read(), re.MULTILINE)}
    Asked = {Command.split()[0] for Command in COMMANDS} | {Words[0] for Words, _, _ in OTHERS}
    assert Defined == Asked | WITHOUT and not Asked & WITHOUT, Defined ^ (Asked | WITHOUT)


def main():
    checkCommands()
    shutil.copy(sys.argv[1], os.path.join(sys.argv[2], "shop.itrace"))
    os.chdir(sys.argv[2])
    Trace = "shop.itrace"
    make(Trace)
    Answers, Wrong = 0, []
    subprocess.run(["instantrace", "index", "-o", "shop.itx", Trace], check=True, capture_output=True)
    Asked = [
        (Command.split() + Arguments, File, Kind)
        for Command, Arguments in COMMANDS.items()
        for File, Kind in KINDS.items()
    ]
    # A start takes 0.3 s with ASan. No command and no kind is left out: 7 divides
    # neither's number.
    if "--some" in sys.argv:
        Asked = Asked[::7]
        assert {Words[0] for Words, _, _ in Asked} == {Command.split()[0] for Command in COMMANDS}
        assert {Kind for _, _, Kind in Asked} == set(KINDS.values())
    for Words, File, Kind in Asked + OTHERS:
        Words = ["instantrace"] + [{"FILE": File, "TRACE": Trace}.get(W, W) for W in Words]
        Done = subprocess.run(Words, capture_output=True, text=True, errors="replace", timeout=60)
        Answers += 1
        Said = Done.stdout + Done.stderr
        IsSaid = File in Said and Kind in Said
        IsSaid = IsSaid and ("expected" in Said or File in ("folder", "missing.itrace"))
        if Done.returncode != 1 or not IsSaid or "packet" in Said:
            Wrong.append("%s\n  exit code %d: %s" % (" ".join(Words), Done.returncode, Said.strip()))
    print("%d answers, %d of them wrong" % (Answers, len(Wrong)))
    print("\n".join(Wrong))


if __name__ == "__main__":
    main()
