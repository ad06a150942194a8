#!/usr/bin/env python3
"""Whether the time of evaluating constants is on its line and name, beside -ftime-trace.

usage: constants.py [--clang MAJOR] [--build DIR] [FILE...]

Compiles each file once with both: Instantrace, and -ftime-trace with granularity 0, whose
Evaluate* events are the truth as far as they are inside no instantiation and no other one of
them. An event about a variable is right as far as a ConstantEvaluation has its name; one about
an expression as far as an interval of Instantrace has the line where that begins. What is more
on that line or name is not counted. What takes less than the bound has no record; so the same is
said of events that take as long as that. `twice` is how much all intervals are longer than the
compile. Prints Markdown.
"""

import argparse
import collections
import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from run import ENDS, ROOT, Unit, add_places, clang, environment

MADE = [os.path.join(ROOT, "test", "plugin", "recording", "Inputs", Name + ".cpp") for Name in ("hash-table", "parser", "regex", "sort")]
CORPUS = ["constexpr_eval", "constexpr_regex", "boost_hana", "fmt_compile", "nlohmann_json", "range_v3"]
PLACE = re.compile(r"<(.*?):(\d+):\d+")
LINES = """SELECT kind, name, file, line, sum(self_ns) AS ns FROM intervals
  WHERE kind IN ('ConstantEvaluation', 'Statement') GROUP BY kind, name, file, line"""
SUMS = """SELECT sum(self_ns) AS self, sum(CASE WHEN parent IS NULL THEN duration_ns ELSE 0 END) AS whole FROM intervals"""


BOUND_NS = 20_000  # what the plugin records, if nobody says otherwise


def outermost(Trace):
    """(name or place, ns) of what is evaluated in no instantiation and no other evaluation."""
    with open(Trace, encoding="utf-8") as File:
        Events = [E for E in json.load(File)["traceEvents"] if E.get("ph") == "X" and not E["name"].startswith("Total ")]
    End = 0
    for E in sorted(Events, key=lambda E: (E["ts"], -E["dur"])):
        IsEvaluation = E["name"].startswith("Evaluate")
        if E["ts"] < End or not (IsEvaluation or E["name"].startswith("Instantiate")):
            continue
        End = E["ts"] + E["dur"]
        if IsEvaluation:
            yield E.get("args", {}).get("detail", ""), E["dur"] * 1000


def query(Options, Text):
    return json.loads(subprocess.check_output([Options.tool, "query", "--json", "--clock=wall", "x.itrace", Text]))


def measure(Options, Source):
    Library = os.path.join(Options.build, "lib", "instantrace", "libinstantrace.so")
    subprocess.run([clang(Options, Options.clang), *Source.flags, "-fconstexpr-steps=100000000", "-fsyntax-only", "-fplugin=" + Library,
                    "-fplugin-arg-instantrace-output=x.itrace", "-fplugin-arg-instantrace-empty=on",
                    "-Xclang", "-ftime-trace=x.json", "-Xclang", "-ftime-trace-granularity=0", Source.path], check=True)
    Names, Places = collections.Counter(), collections.Counter()
    for Row in query(Options, LINES):
        Places[os.path.abspath(Row["file"] or ""), Row["line"]] += Row["ns"]
        if Row["kind"] == "ConstantEvaluation":
            Names[Row["name"]] += Row["ns"]
    Truth, Long = collections.Counter(), collections.Counter()
    for Detail, Ns in outermost("x.json"):
        Truth[Detail] += Ns
        if Ns >= BOUND_NS:
            Long[Detail] += Ns
    Sums = query(Options, SUMS)[0]
    return (sum(Truth.values()), right(Options, Truth, Names, Places), sum(Long.values()), right(None, Long, Names, Places),
            sum(Places.values()), Sums["self"] - Sums["whole"], Sums["whole"])


def right(Options, Truth, Names, Places):
    """How much of what is evaluated has its line or name. Without options, nothing is printed."""
    Right, IsMissingShown = 0, Options and Options.missing
    ByPlace = collections.Counter()
    for Detail, Ns in Truth.items():
        if Found := PLACE.match(Detail):
            ByPlace[os.path.abspath(Found[1]), int(Found[2])] += Ns
        else:
            Right += min(Ns, Names[Detail])
            if IsMissingShown and Ns > Names[Detail]:
                print("  %s: %.2f of %.2f ms" % (Detail, Names[Detail] / 1e6, Ns / 1e6), file=sys.stderr)
    for Place, Ns in ByPlace.items():
        Right += min(Ns, Places[Place])
        if IsMissingShown and Ns > Places[Place]:
            print("  %s:%d: %.2f of %.2f ms" % (*Place, Places[Place] / 1e6, Ns / 1e6), file=sys.stderr)
    return Right


def percent(Part, Whole):
    return "%.1f %%" % (100 * Part / Whole) if Whole else "–"


def main():
    Parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    add_places(Parser)
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
    print("| file | compile, ms | evaluated by -ftime-trace, ms | of that on its line and name | of what took 20 µs or more | all by line, ms | twice, ns |\n|---|---:|---:|---:|---:|---:|---:|")
    Scratch = tempfile.mkdtemp(prefix="instantrace-constants-")
    Sources = [Unit(os.path.abspath(F)) for F in Files]
    AllEvaluated = AllRight = AllLong = AllLongRight = 0
    os.chdir(Scratch)
    try:
        for Source in Sources:
            Evaluated, Right, Long, LongRight, All, Twice, Whole = measure(Options, Source)
            AllEvaluated, AllRight, AllLong, AllLongRight = AllEvaluated + Evaluated, AllRight + Right, AllLong + Long, AllLongRight + LongRight
            print("| %s | %.0f | %.1f | %s | %s | %.1f | %d |"
                  % (Source.name, Whole / 1e6, Evaluated / 1e6, percent(Right, Evaluated), percent(LongRight, Long), All / 1e6, Twice), flush=True)
        print("| **all** | | %.1f | **%s** | **%s** | | |" % (AllEvaluated / 1e6, percent(AllRight, AllEvaluated), percent(AllLongRight, AllLong)))
    finally:
        os.chdir("/")
        shutil.rmtree(Scratch)


if __name__ == "__main__":
    main()
