#!/usr/bin/env python3
"""Whether the time of evaluating constants is on its line and name, beside -ftime-trace.

usage: constants.py [--clang MAJOR] [--build DIR] [FILE...]

Compiles each file once with both: Instantrace, and -ftime-trace with granularity 0, whose
Evaluate* events are the truth as far as they are inside no instantiation and no other one of
them. Each is laid over Instantrace's intervals; the clocks are compared where files are entered,
or at the longest evaluations. What of it is in template work for which -ftime-trace has no event
(deduction, alias and variable templates, constraints) is that work's. Of the rest, it is right where
Instantrace has a constant or a statement with the line where the event begins, or, of an event that
names a variable, with that name or on a line that has it. It is near where it begins in a later line
of the statement, or of the member's body, that has its time. What takes less than the bound has no record; so the
same is said of events that take as long as that. `twice` is how much all intervals
are longer than the compile. Prints Markdown.
"""

import bisect
import collections
import datetime
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

from run import ENDS, ROOT, Unit, places_parser, clang, environment

MADE = [os.path.join(ROOT, "test", "plugin", "recording", "Inputs", Name + ".cpp") for Name in ("hash-table", "parser", "regex", "sort")]
CORPUS = ["constexpr_eval", "constexpr_regex", "boost_hana", "fmt_compile", "nlohmann_json", "range_v3"]
PLACE = re.compile(r"<(.*?):(\d+):\d+")
INTERVALS = "SELECT kind, name, file, line, begin_ns, end_ns, self_ns, parent FROM intervals ORDER BY id"
LINE_KINDS = "ConstantEvaluation", "Statement"
PARSING_KINDS = "Frontend", "Parsing", "FileInclusion", "PendingInstantiations", "Profiling"


BOUND_NS = 20_000  # what the plugin records, if nobody says otherwise


def outermost(Events):
    """(name or place, begin, ns) of what is evaluated in no instantiation and no other evaluation."""
    End = 0
    for E in sorted(Events, key=lambda E: (E["ts"], -E["dur"])):
        IsEvaluation = E["name"].startswith("Evaluate")
        if E["ts"] < End or not (IsEvaluation or E["name"].startswith("Instantiate")):
            continue
        End = E["ts"] + E["dur"]
        if IsEvaluation:
            yield E.get("args", {}).get("detail", ""), E["ts"] * 1000, E["dur"] * 1000


def offset(Files, Events, Intervals):
    """How far Instantrace's clock is behind that of -ftime-trace."""
    Entered, Evaluated = collections.defaultdict(list), {}
    for I in Intervals:
        if I["kind"] == "FileInclusion":
            Entered[os.path.realpath(I["name"])].append(I["begin_ns"])
        elif I["kind"] == "ConstantEvaluation":
            Evaluated[I["name"]] = I["end_ns"]
    Found = []
    for E in sorted(Files, key=lambda E: E["ts"]):
        Path = os.path.realpath(E["args"]["detail"])
        if Entered[Path]:
            Found.append(Entered[Path].pop(0) - E["ts"] * 1000)
    if not Found:
        Longest = sorted(outermost(Events), key=lambda E: -E[2])
        Found = [Evaluated[Name] - Begin - Ns for Name, Begin, Ns in Longest if Name in Evaluated][:3]
    return statistics.median(Found)


def segments(Intervals):
    """(begin, innermost interval or None), one behind the other."""
    Found, Open = [], []

    def close(Until):
        while Open and Open[-1]["end_ns"] <= Until:
            Found.append((Open.pop()["end_ns"], Open[-1] if Open else None))

    for I in Intervals:
        close(I["begin_ns"])
        Open.append(I)
        Found.append((I["begin_ns"], I))
    close(float("inf"))
    return Found


class Lines:
    """The text of sources."""

    def __init__(self):
        self.Files = {}

    def after(self, I):
        """From the line of an interval."""
        Path = os.path.abspath(I["file"] or "")
        if Path not in self.Files:
            with open(Path, errors="replace") as File:
                self.Files[Path] = File.read().splitlines()
        return self.Files[Path][(I["line"] or 1) - 1 :]

    def has(self, I, Word, LineCount=1):
        return bool(re.search(r"\b%s\b" % re.escape(Word), "\n".join(self.after(I)[:LineCount])))

    def last(self, I):
        """The last line of what begins in that of an interval: up to `;`, or to the `}` of the first `{`."""
        Depth = 0
        for Count, Text in enumerate(self.after(I)):
            for C in re.sub(r'//.*|"(\\.|[^"\\])*"', "", Text):
                Depth += (C in "({") - (C in ")}")
                if Depth <= 0 and C in ";}":
                    return I["line"] + Count
        return I["line"]


def is_right(Detail, I, Sources):
    """Whether, and whether nearly."""
    if Found := PLACE.match(Detail):
        IsSame = os.path.abspath(I["file"] or "") == os.path.abspath(Found[1])
        LineNo = int(Found[2])
        return IsSame and I["line"] == LineNo, IsSame and I["line"] < LineNo <= Sources.last(I)
    Word = Detail.split("::")[-1]
    return (Detail == I["name"] or bool(I["line"]) and Sources.has(I, Word),
            bool(I["line"]) and Sources.has(I, Word, Sources.last(I) - I["line"] + 1))


def query(Options, Text):
    return json.loads(subprocess.check_output([Options.tool, "query", "--json", "--clock=wall", "x.itrace", Text]))


class Sums:
    def __init__(self):
        self.All = self.Template = self.Right = self.Near = self.Long = self.LongRight = self.LongNear = 0

    def add(self, More):
        for Name, Ns in vars(More).items():
            setattr(self, Name, getattr(self, Name) + Ns)


def measure(Options, Source):
    Library = os.path.join(Options.build, "lib", "instantrace", "libinstantrace.so")
    if os.path.exists("x.itrace"):
        os.remove("x.itrace")  # a compile with little work would leave it
    subprocess.run([clang(Options, Options.clang), *Source.flags, "-fconstexpr-steps=100000000", "-fsyntax-only", "-fplugin=" + Library,
                    "-fplugin-arg-instantrace-output=x.itrace", "-fplugin-arg-instantrace-empty=on",
                    "-Xclang", "-ftime-trace=x.json", "-Xclang", "-ftime-trace-granularity=0", Source.path], check=True)
    with open("x.json", encoding="utf-8") as File:
        All = json.load(File)["traceEvents"]
    Events = [E for E in All if E.get("ph") == "X" and not E["name"].startswith("Total ")]
    Files = [E for E in All if E["name"] == "Source" and E.get("ph") in ("X", "b")]
    Intervals = query(Options, INTERVALS)
    Behind = offset(Files, Events, Intervals)
    Timeline = segments(Intervals)
    Begins = [Begin for Begin, I in Timeline]
    Found, Sources, Missing = Sums(), Lines(), collections.Counter()
    for Detail, Begin, Ns in outermost(Events):
        Begin += Behind
        End = Begin + Ns
        At = max(bisect.bisect_right(Begins, Begin) - 1, 0)
        Template = Right = Near = 0
        while At < len(Timeline) and Begins[At] < End:
            I = Timeline[At][1]
            Until = Begins[At + 1] if At + 1 < len(Begins) else End
            Part = min(Until, End) - max(Begins[At], Begin)
            At += 1
            if Part <= 0 or not I:
                continue
            if I["kind"] in LINE_KINDS:
                IsRight, IsNear = is_right(Detail, I, Sources)
                Right += Part * IsRight
                Near += Part * (IsNear and not IsRight)
            elif I["kind"] not in PARSING_KINDS:
                Template += Part
        Found.All += Ns
        Found.Template += Template
        Found.Right += Right
        Found.Near += Near
        if Ns >= BOUND_NS:
            Found.Long += Ns - Template
            Found.LongRight += Right
            Found.LongNear += Near
        Missing[Detail] += Ns - Template - Right - Near
    if Options.missing:
        for Detail, Ns in Missing.most_common(40):
            print("  %s: %.3f ms" % (Detail, Ns / 1e6), file=sys.stderr)
    ByLineNs = sum(I["self_ns"] for I in Intervals if I["kind"] in LINE_KINDS)
    WholeNs = sum(I["end_ns"] - I["begin_ns"] for I in Intervals if I["parent"] is None)
    return Found, ByLineNs, sum(I["self_ns"] for I in Intervals) - WholeNs, WholeNs


def percent(Part, Whole):
    return "%.1f %%" % (100 * Part / Whole) if Whole else "–"


def cells(Found):
    Rest = Found.All - Found.Template
    return "%.1f | %.1f | %s | %s | %s | %s" % (
        Found.All / 1e6, Found.Template / 1e6, percent(Found.Right, Rest), percent(Found.Near, Rest),
        percent(Found.LongRight, Found.Long), percent(Found.LongNear, Found.Long))


def main():
    Parser = places_parser(__doc__)
    Parser.add_argument("files", nargs="*", help="sources, or names of the corpus")
    Parser.add_argument("--clang", type=int, default=ENDS[-1])
    Parser.add_argument("--missing", action="store_true", help="show what is not where it should be")
    Options = Parser.parse_args()
    Options.build = os.path.abspath(Options.build)
    Options.tool = os.path.join(Options.build, "bin", "instantrace")
    os.environ.update(environment())
    Files = [F if F.endswith(".cpp") else os.path.join(os.path.abspath(Options.corpus), F + ".cpp")
             for F in Options.files or [*MADE, *CORPUS]]
    print("Clang %d, %s\n" % (Options.clang, datetime.date.today()))
    print("| file | compile, ms | evaluated by -ftime-trace, ms | of that in template work, ms | of the rest on its line or name | near | of what took 20 µs or more | near | all by line, ms | twice, ns |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    Sources = [Unit(os.path.abspath(F)) for F in Files]
    All = Sums()
    with tempfile.TemporaryDirectory(prefix="instantrace-constants-") as Scratch:
        os.chdir(Scratch)
        for Source in Sources:
            Found, ByLineNs, TwiceNs, WholeNs = measure(Options, Source)
            All.add(Found)
            print("| %s | %.0f | %s | %.1f | %d |" % (Source.name, WholeNs / 1e6, cells(Found), ByLineNs / 1e6, TwiceNs), flush=True)
        print("| **all** | | %s | | |" % cells(All))


if __name__ == "__main__":
    main()
