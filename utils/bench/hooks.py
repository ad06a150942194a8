#!/usr/bin/env python3
"""Compares two hooks, the callback and another one: times, specializations, events, CPU.

Each round profiles each file with both hooks in one run of the compiler (plugin
module instantrace-hooks-clang-N), so that both see the same work take the same
time, and instantrace-bench-hooks compares the two traces; its header comments
define every number. What costs CPU is measured apart, in runs of one hook each:
every round compiles once without a plugin and once with each hook, in an order
that rotates; user and system time (wait4) are divided by those without a plugin
in the same round. Cells are medians of the rounds, with the smallest and the
largest value where the spread matters.
"""

import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile

import hooks_notices
import hooks_report
import names
import run

def variants(Options):
    return ["no plugin", "callback", Options.hook]


def parse_arguments():
    Parser = run.places_parser(__doc__)
    Add = Parser.add_argument
    Add("--unit", action="append", metavar="NAME", help="of the corpus; may be repeated (all)")
    Add("--clang", type=int, action="append", help="a Clang major; may be repeated (all)")
    Add("--rounds", type=int, default=3)
    Add("--no-cpu", action="store_true", help="only compare traces")
    Add("--codegen", action="store_true", help="measure CPU with -O0 -c instead of -fsyntax-only")
    Add("--noise", action="store_true", help="compare the callback with itself: what differs then is the measurement")
    Add("--hook", choices=["observer", "probes"], default="observer", help="the other hook")
    Add("--notices", action="store_true", help="only compare traces of observers that each go without one kind of notification")
    Add("--json", metavar="OUT", help="write every comparison and every single measurement there")
    Add("--update", metavar="FILE", help="replace the part of FILE between the markers of utils/bench/hooks.py")
    Options = Parser.parse_args()
    Options.clang = Options.clang or run.MAJORS
    Options.no_cpu = Options.no_cpu or Options.noise
    return Options


class Failure(Exception):
    """A step that did not work; its text says which."""


class Cell:
    """One file with one Clang."""

    def __init__(self, Options, Major, Unit):
        self.clang, self.file = Major, Unit.name
        self.comparisons = []  # a round each, as instantrace-bench-hooks prints them
        self.cpu = {Variant: [] for Variant in variants(Options)}  # seconds, a round each
        self.events = {}  # by hook, of the runs with one hook
        self.trace_bytes = {}

    def values(self, *Path):
        """A number of each comparison: values("inclusive", "difference")."""
        Found = self.comparisons
        for Key in Path:
            Found = [F[Key] for F in Found]
        return Found

    def median(self, *Path):
        return statistics.median(self.values(*Path))

    def ratios(self, Variant, Base):
        return [Own / Of for Own, Of in zip(self.cpu[Variant], self.cpu[Base])]


def find_units(Options):
    """The corpus; two of its files are there to fail."""
    Options.files = ",".join(Options.unit or ["all"])
    Units = run.find_units(Options)[1:]
    if Options.unit:
        return Units
    Fail = sorted(N for N in os.listdir(Options.corpus) if N.startswith("error_") and N.endswith(".cpp"))
    return Units + [run.Unit(os.path.join(Options.corpus, N)) for N in Fail]


def compiler(Options, Major, Unit):
    return [os.path.join(Options.llvm_prefix + str(Major), "bin", "clang++")] + Unit.flags


def call(Command, Scratch, MayFail=False):
    """User and system time of it, and what it printed."""
    Paths = [os.path.join(Scratch, N) for N in ("stdout", "stderr")]
    with open(Paths[0], "wb") as Out, open(Paths[1], "wb") as Errors:
        Child = subprocess.Popen(Command, cwd=Scratch, env=run.environment(), stdout=Out, stderr=Errors)
        _, Status, Usage = os.wait4(Child.pid, 0)
        Child.returncode = os.waitstatus_to_exitcode(Status)
    # The compiler's exit code for errors in the source is 1.
    if Child.returncode not in ((0, 1) if MayFail else (0,)):
        with open(Paths[1], errors="replace") as Errors:
            raise Failure("exit code %d of %s\n%s" % (Child.returncode, shlex.join(Command), Errors.read()[:500]))
    with open(Paths[0], "rb") as Out:
        return Usage.ru_utime + Usage.ru_stime, Out.read()


def compare(Options, Major, Unit, Scratch, Notices=None):
    Module = os.path.join(Options.build, "lib", "instantrace", "bench", "instantrace-hooks-clang-%d.so" % Major)
    Plugin = ["-fplugin=" + Module, "-fplugin-arg-instantrace_hooks-output=both"]
    Second = Options.hook
    if Notices is not None:
        Plugin.append("-fplugin-arg-instantrace_hooks-notices=%d" % Notices)
    if Second == "probes":
        Plugin.append("-fplugin-arg-instantrace_hooks-probes=on")
    if Options.noise:
        Plugin.append("-fplugin-arg-instantrace_hooks-again=on")
        Second = "again"
    Command = compiler(Options, Major, Unit) + Plugin + ["-fsyntax-only", Unit.path]
    call(Command, Scratch, MayFail=Unit.name.startswith("error_"))
    Tool = os.path.join(Options.build, "bin", "instantrace-bench-hooks")
    Files = ["both.callback.itrace", "both.%s.itrace" % Second, "both.own-work"]
    _, Text = call([Tool] + Files, Scratch)
    for Name in Files:  # the next round's are other ones
        os.remove(os.path.join(Scratch, Name))
    return json.loads(Text)


def compile_once(Options, Cell, Unit, Variant, Scratch):
    Command = compiler(Options, Cell.clang, Unit)
    if Variant != "no plugin":
        Plugin = os.path.join(Options.build, "lib", "instantrace", "libinstantrace.so")
        Arguments = ["output=one.itrace", "hook=" + Variant]
        Command += ["-fplugin=" + Plugin] + ["-fplugin-arg-instantrace-" + A for A in Arguments]
    Command += ["-O0", "-c", "-o", "x.o"] if Options.codegen else ["-fsyntax-only"]
    Seconds, _ = call(Command + [Unit.path], Scratch, MayFail=Unit.name.startswith("error_"))
    Cell.cpu[Variant].append(Seconds)
    if Variant == "no plugin":
        return
    Path = os.path.join(Scratch, "one.itrace")
    if not os.path.exists(Path):
        raise Failure("no trace was written by " + shlex.join(Command))
    Trace = run.measure_trace(Path)
    os.remove(Path)
    Cell.events[Variant], Cell.trace_bytes[Variant] = Trace["events"], Trace["trace_bytes"]


def measure(Options, Major, Unit):
    Result = Cell(Options, Major, Unit)
    with tempfile.TemporaryDirectory(prefix="instantrace-bench-") as Scratch:
        for Round in range(Options.rounds):
            Result.comparisons.append(compare(Options, Major, Unit, Scratch))
            All = [] if Options.no_cpu else variants(Options)
            Turn = Round % 3
            for Variant in All[Turn:] + All[:Turn]:
                compile_once(Options, Result, Unit, Variant, Scratch)
    return Result


def measure_notices(Options, Major):
    Units = [U for U in find_units(Options) if compiles(Options, Major, U)]

    def compare_some(Unit, Mask):
        with tempfile.TemporaryDirectory(prefix="instantrace-bench-") as Scratch:
            return compare(Options, Major, Unit, Scratch, Mask)

    Found = hooks_notices.measure(compare_some, Units, Options.rounds)
    return list(hooks_notices.lines(Major, Units, Found))


def compiles(Options, Major, Unit):
    """Not every Clang takes every file. Warms the file cache, too."""
    Command = compiler(Options, Major, Unit) + ["-fsyntax-only", Unit.path]
    with tempfile.TemporaryDirectory(prefix="instantrace-bench-") as Scratch:
        try:
            call(Command, Scratch, MayFail=Unit.name.startswith("error_"))
        except Failure:
            return False
    return True


def header(Options, Load):
    Arguments = ["--rounds %d" % Options.rounds] + ["--clang %d" % M for M in Options.clang]
    Arguments += ["--unit " + U for U in Options.unit or []]
    Arguments += ["--hook " + Options.hook] if Options.hook != "observer" else []
    Arguments += ["--" + Name for Name in ("no-cpu", "codegen", "noise", "notices") if getattr(Options, Name.replace("-", "_"))]
    yield "Command: `utils/dev bench hooks %s`; commit %s  " % (" ".join(Arguments), names.revision())
    yield "Machine: %s; load average at start and end %.1f and %.1f  " % (run.machine(), Load, os.getloadavg()[0])
    yield ""


def main():
    Options = parse_arguments()
    Options.build = os.path.abspath(Options.build)
    Options.corpus = os.path.abspath(Options.corpus)
    Load = os.getloadavg()[0]
    if Options.notices:
        Text = [Line for Major in Options.clang for Line in measure_notices(Options, Major)]
        print("\n".join([*header(Options, Load), *Text]))
        return 0
    Cells, Failures = [], []
    for Major in Options.clang:
        for Unit in find_units(Options):
            Where = "%s with Clang %d" % (Unit.name, Major)
            if not compiles(Options, Major, Unit):
                Failures.append("%s: it does not compile" % Where)
                continue
            try:
                Cells.append(measure(Options, Major, Unit))
                run.note("%s: done" % Where)
            except Failure as Reason:
                run.note("%s: %s" % (Where, Reason))
                Failures.append("%s: failed" % Where)
    Text = "\n".join([*header(Options, Load), *hooks_report.lines(Options, Cells, Failures)]) + "\n"
    print(Text, end="")
    if Options.json:
        with open(Options.json, "w", encoding="utf-8") as File:
            Cells = [vars(C) for C in Cells]
            json.dump({"machine": run.machine(), "failures": Failures, "cells": Cells}, File, indent=1)
            File.write("\n")
    if Options.update:
        run.update(Options.update, Text, Script="utils/bench/hooks.py")
    return 1 if not Cells or any(F.endswith(": failed") for F in Failures) else 0


if __name__ == "__main__":
    sys.exit(main())
