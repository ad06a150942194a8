#!/usr/bin/env python3
"""Writes what the first commands show, at 80 and 120 columns, and prints what is wrong in it:
a command that fails, a line that is wider, two rows of a table that read alike, a number or
a name of ours in place of what it stands for.

usage: transcripts.py INTO INPUT FILE [NAME]
       transcripts.py --record CLANG CORPUS INTO

INTO gets INPUT-80.txt and INPUT-120.txt. INPUT is a trace or a session in the current folder,
FILE what `annotate` shows, and NAME what `why` asks about: the costliest template, if there is
none. With --record there are three: files of the corpus with Boost and with range-v3, and a
project of six units with sins (test/tool/record/Inputs/sins.py). Times, sizes and shares are N.
"""

import csv
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "test", "tool", "record", "Inputs"))
sys.dont_write_bytecode = True

from sins import plant  # noqa: E402

WIDTHS = (80, 120)
NOT_FOR_PEOPLE = re.compile(r"<(?:location|entity) \d+>|\((?:folded|frontend|file inclusion|pending instantiations)\)")
NUMBER = re.compile(r"~?\d[\d.,]*(?= (?:ns|µs|ms|s|B|kB|MB|GB)\b| %)|\b\d+\.\d\b")
# Lines of the program, and paths that one asks in, may be there twice.
NOT_A_TABLE = ("annotate", "advise", "tree", "why", "critical-path")


def commands(Input, File, Name):
    return (
        ["summary", Input],
        ["advise", "-n", "3", Input],
        ["annotate", "-n", "6", "--context=0", Input, File],
        ["headers", "-n", "12", Input],
        ["why", "-n", "3", Input, Name],
        ["summary", "--by=template", "-n", "15", Input],
        ["summary", "--by=user-frame", "-n", "10", Input],
        ["tree", "-n", "20", Input],
        ["duplicates", "-n", "10", Input],
        ["diff", "--sort=self", Input, Input],
        ["summary", "--by=header", "-n", "8", Input],
        ["summary", "--by=specialization", "-n", "15", Input],
        ["depth", "-n", "5", Input],
        ["overloads", "-n", "10", Input],
        ["critical-path", Input],
    )


def names(Lines):
    """Of the rows of each table: its number, and what stands behind their numbers."""
    Table, First, At = 0, 0, 0
    for Line in Lines:
        Head = re.match(r" +(?:self|inclusive|in all|saved|depth|count|begin|wait)  ", Line)
        if Head:
            Table, First, At = Table + 1, Head.end() - 2, Line.rindex("  ") + 2
        elif not Line:
            First = 0
        elif Line[:First].strip():  # what is below a row is further right
            yield Table, Line[At:]


def wrong(Words, Width, Code, Text):
    Lines = Text.splitlines()
    if Code != 0:
        yield "exit code %d" % Code
    yield from ("too long: " + L for L in Lines if len(L) > Width and not L.startswith(("Next: ", "      instantrace ")))
    yield from ("no name: " + L for L in Lines if NOT_FOR_PEOPLE.search(L))
    if Words[0] not in NOT_A_TABLE:
        Rows = list(names(Lines))
        yield from ("twice: " + R[1] for R in sorted({R for R in Rows if Rows.count(R) > 1}))


def costliest(Input):
    Rows = subprocess.run(["instantrace", "summary", "--by=template", "--csv", "-n", "20", Input], stdout=subprocess.PIPE, text=True)
    return next(R["name"] for R in csv.DictReader(Rows.stdout.splitlines()) if not R["name"].startswith("("))


def write(Into, Input, File, Name=None):
    """How many problems there are."""
    Problems = 0
    Name = Name or costliest(Input)
    for Width in WIDTHS:
        Env = dict(os.environ, COLUMNS=str(Width), NO_COLOR="1")
        with open(os.path.join(Into, "%s-%d.txt" % (os.path.basename(Input), Width)), "w") as Out:
            for Words in commands(Input, File, Name):
                Run = subprocess.run(["instantrace", *Words], env=Env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                Out.write("$ instantrace %s\n%s\n" % (" ".join(Words), NUMBER.sub(lambda M: "N".rjust(len(M.group(0))), Run.stdout)))
                for Problem in wrong(Words, Width, Run.returncode, Run.stdout):
                    print("%s, %d columns, %s: %s" % (Input, Width, " ".join(Words), Problem))
                    Problems += 1
    return Problems


def record(Clang, Corpus, Into):
    def run(Folder, Name, *Build):
        subprocess.run(["instantrace", "record", "-q", "-o", Name, "--", *Build], cwd=Folder, check=True)

    Problems = 0
    for Name, File in ("boost", "boost_hana.cpp"), ("range-v3", "range_v3.cpp"):
        Folder = os.path.join(Into, "in-" + Name)
        os.makedirs(Folder)
        with open(os.path.join(Corpus, File)) as From, open(os.path.join(Folder, File), "w") as To:
            To.write(From.read())
        run(Folder, Name, Clang, "-std=c++20", "-w", "-c", File)
        os.chdir(Folder)
        Problems += write(Into, Name, File)
    Folder = os.path.join(Into, "in-six-units")
    plant(Folder, Clang)
    run(Folder, "six-units", "sh", "build.sh")
    os.chdir(Folder)
    return Problems + write(Into, "six-units", "table.h")


def main(Arguments):
    if Arguments[0] == "--record":
        os.makedirs(Arguments[3])
        Problems = record(Arguments[1], Arguments[2], os.path.abspath(Arguments[3]))
    else:
        os.makedirs(Arguments[0], exist_ok=True)
        Problems = write(*Arguments)
    print("%d problems" % Problems)
    return 1 if Problems else 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
