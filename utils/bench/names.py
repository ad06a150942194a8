#!/usr/bin/env python3
"""Measures what names cost: time, bytes and memory, beside printing them.

One compile per file does all timing: a plugin module (plugin/bench) collects
what the compile asks names for, and in the end lets the ways to name compete,
in an order that rotates from round to round. Times are CPU time of the thread.
A second compile, with the profiler itself, gives the dictionary as it is in a
trace, and what is left to Clang to print (check-names).
"""

import datetime
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile

import names_growth
import names_plot
import names_report
import run


def parse_arguments():
    Parser = run.places_parser(__doc__)
    Add = Parser.add_argument
    Add("--files", help="comma-separated names from the corpus, or `all`", default=",".join(run.DEFAULT_FILES))
    Add("--clang", type=int, action="append", help="a Clang major; may be repeated (the newest)")
    Add("--rounds", type=int, default=5)
    Add("--cap", type=int, default=10, help="seconds after which printing at every event is stopped")
    Add("--growth", action="store_true", help="also measure packs that grow to %d arguments" % names_growth.SIZES[-1])
    Add("--plot", metavar="SVG", help="draw the growth there")
    Add("--json", metavar="OUT", help="write every single measurement there")
    Add("--update", metavar="FILE", help="replace the part of FILE between the markers of utils/bench/names.py")
    Options = Parser.parse_args()
    Options.clang = Options.clang or run.MAJORS[-1:]
    Options.growth = Options.growth or bool(Options.plot)
    return Options


def progress(Text):
    if sys.stderr.isatty():
        run.note(Text)


class Failure(Exception):
    """A step that did not work; its text says which."""


class Measurement:
    """One file with one Clang."""

    def __init__(self, Major, Unit):
        self.clang, self.file = Major, Unit.name
        self.contest = {}  # as plugin/bench/NameContest.cpp writes it
        self.bytes = {}  # as utils/bench/names/Main.cpp writes it
        self.trace_bytes = None  # of the dictionary packets in a trace
        self.check_lines = []  # of check-names

    def values(self, Contestant, Key):
        return [R[Contestant][Key] for R in self.contest["rounds"] if Contestant in R]

    def median(self, Contestant, Key):
        return statistics.median(self.values(Contestant, Key))

    def is_stopped(self, Contestant):
        return any(self.values(Contestant, "is_stopped"))


def call(Command, Scratch):
    Done = subprocess.run(Command, cwd=Scratch, env=run.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if Done.returncode != 0:
        Errors = Done.stderr.decode(errors="replace")[:500]
        raise Failure("exit code %d of %s\n%s" % (Done.returncode, shlex.join(Command), Errors))
    return Done.stdout


def dictionary_packets(Path):
    """The number of bytes of a trace that are names."""
    Dictionary = 3  # Packet.dictionary in proto/trace.proto
    with open(Path, "rb") as File:
        Data = File.read()
    Total = Before = 0
    for _, Packet, PacketSize in run.fields(Data, 0, len(Data)):
        Whole = Packet + PacketSize - Before  # with the packet's own tag and length
        Before = Packet + PacketSize
        for Body, _, _ in run.fields(Data, Packet, Packet + PacketSize):
            if Body == Dictionary:
                Total += Whole
    return Total


def measure(Options, Major, Unit, WithTrace=True):
    M = Measurement(Major, Unit)
    Library = os.path.join(Options.build, "lib", "instantrace")
    Compiler = [os.path.join(Options.llvm_prefix + str(Major), "bin", "clang++")] + Unit.flags
    Compiler += ["-fsyntax-only", Unit.path]
    with tempfile.TemporaryDirectory(prefix="instantrace-bench-") as Scratch:
        Module = os.path.join(Library, "bench", "instantrace-names-clang-%d.so" % Major)
        Arguments = ["json=contest.json", "texts=texts", "dictionary=dictionary"]
        Arguments += ["rounds=%d" % Options.rounds, "cap=%d" % Options.cap]
        call(Compiler + ["-fplugin=" + Module] + ["-fplugin-arg-instantrace_names-" + A for A in Arguments], Scratch)
        with open(os.path.join(Scratch, "contest.json"), encoding="utf-8") as File:
            M.contest = json.load(File)
        Tool = os.path.join(Options.build, "bin", "instantrace-bench-names")
        M.bytes = json.loads(call([Tool, "texts", "dictionary"], Scratch))
        if WithTrace:
            Plugin = ["-fplugin=" + os.path.join(Library, "libinstantrace.so")]
            Plugin += ["-fplugin-arg-instantrace-output=x.itrace", "-fplugin-arg-instantrace-check-names=names"]
            call(Compiler + Plugin, Scratch)
            M.trace_bytes = dictionary_packets(os.path.join(Scratch, "x.itrace"))
            with open(os.path.join(Scratch, "names"), encoding="utf-8", errors="replace") as File:
                M.check_lines = File.read().splitlines()
    return M


def find_units(Options):
    """The corpus; without one, the demo, which is much like one of its files."""
    Units = run.find_units(Options)
    return Units[1:] or Units


def measure_corpus(Options):
    Measurements, Failures = [], []
    for Major in Options.clang:
        for Unit in find_units(Options):
            try:
                Measurements.append(measure(Options, Major, Unit))
                progress("Clang %d, %s: done" % (Major, Unit.name))
            except Failure as Reason:
                run.note("Clang %d, %s: %s" % (Major, Unit.name, Reason))
                Failures.append("%s with Clang %d: it does not compile" % (Unit.name, Major))
    return Measurements, Failures


def measure_growth(Options):
    Rows = {}
    with tempfile.TemporaryDirectory(prefix="instantrace-bench-") as Folder:
        for Size in names_growth.SIZES:
            for End in names_growth.ENDS:
                Unit = names_growth.GrowingUnit(Folder, End, Size)
                Rows[Size, End] = measure(Options, Options.clang[-1], Unit, WithTrace=False)
                progress("%s: done" % Unit.name)
    return Rows


def revision():
    Command = ["git", "-C", run.ROOT, "rev-parse", "--short", "HEAD"]
    Done = subprocess.run(Command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return Done.stdout.decode().strip() or "unknown"


def header(Options, Load):
    Arguments = ["--rounds %d" % Options.rounds] + ["--clang %d" % M for M in Options.clang]
    Arguments += ["--growth"] if Options.growth else []
    Arguments.append("--files " + Options.files)
    yield "Command: `utils/dev bench names %s`  " % " ".join(Arguments)
    yield "Date: %s; commit %s  " % (datetime.date.today().isoformat(), revision())
    yield "Machine: %s; load average at start and end %.1f and %.1f" % (run.machine(), Load, os.getloadavg()[0])
    yield ""


def main():
    Options = parse_arguments()
    Options.build = os.path.abspath(Options.build)
    Options.corpus = os.path.abspath(Options.corpus)
    Load = os.getloadavg()[0]
    Measurements, Failures = measure_corpus(Options)
    Rows = measure_growth(Options) if Options.growth else {}
    Lines = list(header(Options, Load))
    for Major in Options.clang:
        Lines += names_report.lines(Major, [M for M in Measurements if M.clang == Major])
    if Rows:
        Lines += names_growth.lines(Rows)
    Lines += ["Not measured: %s." % F for F in Failures]
    Text = "\n".join(Lines) + "\n"
    print(Text, end="")
    if Options.plot:
        with open(Options.plot, "w", encoding="utf-8") as File:
            File.write(names_plot.picture(names_growth.panels(Rows)))
    if Options.json:
        All = [vars(M) for M in Measurements + list(Rows.values())]
        with open(Options.json, "w", encoding="utf-8") as File:
            json.dump({"machine": run.machine(), "failures": Failures, "measurements": All}, File, indent=1)
            File.write("\n")
    if Options.update:
        run.update(Options.update, Text, Script="utils/bench/names.py")
    return 1 if not Measurements else 0


if __name__ == "__main__":
    sys.exit(main())
