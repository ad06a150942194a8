#!/usr/bin/env python3
"""Compares each Clang with itself without the plugin, on every file of the corpus.

usage: clangs.py [--clang MAJOR]... [--build DIR] [--corpus DIR] [--llvm-prefix PREFIX]

Each file is compiled twice (-O0 -c), with the plugin and without. Exit code, object and
diagnostics have to be the same, each entity's name has to be what Clang prints
(check-names), and `verify` has to accept the trace. A line for each Clang is printed, which
is a row of the table in docs/use/new-clang.md, and a line for each fault. Exits with 1 if
there is one.
"""

import os
import re
import subprocess
import sys
import tempfile

import run

HEADER = """| Clang | hook | files | objects | diagnostics | names, differing | verified |
|---:|---|---:|---:|---:|---:|---:|"""


def compile_unit(Clang, Unit, Folder, *Plugin):
    """(exit code, object or None, diagnostics)"""
    Command = [Clang, *[F for F in Unit.flags if F != "-w"], *Plugin, "-O0", "-c", Unit.path, "-o", "a.o"]
    Done = subprocess.run(Command, cwd=Folder, env=run.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    Object = os.path.join(Folder, "a.o")
    if not os.path.exists(Object):
        return Done.returncode, None, Done.stderr
    with open(Object, "rb") as File:
        Bytes = File.read()
    os.remove(Object)
    return Done.returncode, Bytes, Done.stderr


def tool(Options, *Words):
    Done = subprocess.run([os.path.join(Options.build, "bin", "instantrace"), *Words], capture_output=True, text=True)
    return Done.returncode, Done.stdout + Done.stderr


def hook(Options, Trace):
    """What recorded it, a list of one word; of what dump prints, no more is read."""
    Command = [os.path.join(Options.build, "bin", "instantrace"), "dump", "--header", Trace]
    with subprocess.Popen(Command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace") as Dump:
        for Line in Dump.stdout:
            Found = re.match(r"hook: (\w+)", Line)
            if Found:
                Dump.kill()
                return [Found.group(1)]
    return []


class Counts:
    def __init__(self, Major):
        self.Major, self.Files, self.Objects, self.Same = Major, 0, 0, 0
        self.Diagnostics = self.Names = self.Differing = self.Verified = 0
        self.Hooks = set()

    def fault(self, Unit, What):
        print("Clang %d, %s: %s" % (self.Major, Unit.name, What), file=sys.stderr)

    def add(self, Options, Unit, Scratch):
        Clang = "%s%d/bin/clang++" % (Options.llvm_prefix, self.Major)
        Library = os.path.join(Options.build, "lib", "instantrace", "libinstantrace.so")
        Trace, Names = os.path.join(Scratch, "a.itrace"), os.path.join(Scratch, "names")
        Plain = compile_unit(Clang, Unit, Scratch)
        Arguments = ["-fplugin-arg-instantrace-%s=%s" % Pair for Pair in (("output", Trace), ("check-names", Names))]
        Traced = compile_unit(Clang, Unit, Scratch, "-fplugin=" + Library, *Arguments)
        self.Files += 1
        if Plain[0] != Traced[0]:
            self.fault(Unit, "exit code %d, with the plugin %d" % (Plain[0], Traced[0]))
        if Plain[1] is not None:
            self.Objects += 1
            self.Same += Plain[1] == Traced[1]
        if (Plain[1] is None) != (Traced[1] is None) or Plain[1] != Traced[1]:
            self.fault(Unit, "another object")
        self.Diagnostics += Plain[2] == Traced[2]
        if Plain[2] != Traced[2]:
            self.fault(Unit, "other diagnostics: %s" % Traced[2].decode(errors="replace")[-400:])
        self.check_names(Unit, Names)
        Code, Text = tool(Options, "verify", Trace)
        self.Verified += Code == 0
        if Code != 0:
            self.fault(Unit, Text.strip())
        self.Hooks.update(hook(Options, Trace))
        for Old in (Trace, Names):
            if os.path.exists(Old):
                os.remove(Old)

    def check_names(self, Unit, Path):
        Lines = []
        if os.path.exists(Path):
            with open(Path, errors="replace") as File:
                Lines = File.read().splitlines()
        Found = re.fullmatch(r"(\d+) entities, (\d+) differences", Lines[-1]) if Lines else None
        if not Found:
            self.fault(Unit, "names were not compared")
            self.Differing += 1
            return
        self.Names += int(Found.group(1))
        self.Differing += int(Found.group(2))
        for Line in Lines[:-1][:3] if Found.group(2) != "0" else ():
            self.fault(Unit, Line[:400])

    def row(self):
        return "| %d | %s | %d | %d of %d | %d of %d | %s, %d | %d of %d |" % (
            (self.Major, ", ".join(sorted(self.Hooks)), self.Files, self.Same, self.Objects)
            + (self.Diagnostics, self.Files, "{:,}".format(self.Names), self.Differing, self.Verified, self.Files)
        )

    def is_good(self):
        Good = self.Same == self.Objects and self.Diagnostics == self.Verified == self.Files
        return Good and self.Differing == 0 and self.Names > 0


def main():
    Parser = run.places_parser(__doc__)
    Parser.add_argument("--clang", type=int, action="append", help="a Clang major; may be repeated (all that the build has)")
    Options = Parser.parse_args()
    Options.build = os.path.abspath(Options.build)
    Modules = os.listdir(os.path.join(Options.build, "lib", "instantrace"))
    Built = sorted(int(M.group(1)) for M in (re.fullmatch(r"instantrace-clang-(\d+)\.so", F) for F in Modules) if M)
    Units = [run.Unit(os.path.join(Options.corpus, N)) for N in sorted(os.listdir(Options.corpus)) if N.endswith(".cpp")]
    Good = bool(Units)
    print(HEADER)
    for Major in Options.clang or Built:
        Found = Counts(Major)
        with tempfile.TemporaryDirectory() as Scratch:
            for Unit in Units:
                Found.add(Options, Unit, Scratch)
        print(Found.row(), flush=True)
        Good = Found.is_good() and Good
    sys.exit(0 if Good else 1)


if __name__ == "__main__":
    main()
