#!/usr/bin/env python3
"""What questions to a whole build cost, over its number of units.

usage: session.py [--units N,N,...] [--rounds N] [--clang CLANG] [--unit FILE.cpp]
                  [--session DIR] [--tool PATH] [--only WORD] [--folder DIR]

Records real compiles: the eight units of the standard library that store.py has, or
with --unit that one file; --session takes the traces of a session that there is. A session of N units has links to their traces under N
names, so reading them is measured, compiling them is not. Each question is asked of
each size in turn, in rounds; the last size also with one processor. A cell is the
median of the rounds with least and most: wall and CPU time of the whole process, and
its largest memory.
"""

import argparse
import json
import os
import shutil
import statistics
import tempfile

from spent import spent
from store import ROOT, recorded, run

# Behind the build; a build is compared with itself.
QUESTIONS = [
    ["summary"], ["summary", "--by=header"], ["summary", "--by=specialization"], ["summary", "--by=class"],
    ["headers"], ["duplicates"], ["critical-path"], ["diff", "THE BUILD"], ["advise"], ["index", "--force"],
]


def recorded_unit(Opts, Folder):
    os.makedirs(Folder)
    Session = os.path.join(Folder, "unit")
    run(Opts.tool, "record", "-q", "-o", Session, "--", Opts.clang, "-std=c++20", "-w", "-c", os.path.abspath(Opts.unit),
        "-o", os.path.join(Folder, "unit.o"))
    return [Session]


def link(From, To):
    try:
        os.link(From, To)
    except OSError:  # of another file system
        os.symlink(os.path.abspath(From), To)


def session(Sessions, Count, Into):
    """Its traces are links to those of the sessions, in turn."""
    os.makedirs(Into)
    with open(os.path.join(Sessions[0], "session.json")) as File:
        Facts = json.load(File)
    Traces = [(S, N) for S in Sessions for N in sorted(os.listdir(S)) if N.endswith(".itrace")]
    Facts["units"] = []
    for I in range(Count):
        Session, Name = Traces[I % len(Traces)]
        Facts["units"].append({"trace": "%05d-%s" % (I, Name), "source": "%05d.cpp" % I, "complete": True})
        link(os.path.join(Session, Name), os.path.join(Into, Facts["units"][-1]["trace"]))
    with open(os.path.join(Into, "session.json"), "w") as File:
        json.dump(Facts, File)
    return Into


def spread(Values, Form):
    return "%s (%s..%s)" % tuple(Form % V for V in (statistics.median(Values), min(Values), max(Values)))


def measure(Opts, Folder):
    Source = os.path.join(Folder, "source")
    if Opts.session:
        Sessions = [Opts.session]
    else:
        Sessions = recorded_unit(Opts, Source) if Opts.unit else recorded(Opts.tool, Opts.clang, Source)
    Counts = [int(N) for N in Opts.units.split(",")]
    Builds = {N: session(Sessions, N, os.path.join(Folder, str(N))) for N in Counts}
    All = os.sched_getaffinity(0)
    Runs = [(N, All) for N in Counts] + ([(Counts[-1], {min(All)})] if len(All) > 1 else [])
    Bytes = {N: sum(E.stat().st_size for E in os.scandir(B) if E.name.endswith(".itrace")) for N, B in Builds.items()}
    print("%d bytes of trace per unit, %d processors, load %.1f\n" % (Bytes[Counts[-1]] / Counts[-1], len(All), os.getloadavg()[0]))
    print("| question | units | processors | wall, s | CPU, s | memory, MB |\n|---|---:|---:|---:|---:|---:|", flush=True)
    for Question in QUESTIONS:
        if Opts.only not in " ".join(Question):
            continue
        Samples = {I: [] for I in range(len(Runs))}
        for Round in range(Opts.rounds):
            for I, (Count, Processors) in enumerate(Runs):
                Words = [Builds[Count] if W == "THE BUILD" else W for W in Question[1:]]
                Samples[I].append(spent([Opts.tool, Question[0], Builds[Count], *Words], Processors))
        for I, (Count, Processors) in enumerate(Runs):
            Wall, Cpu, Memory = zip(*Samples[I])
            print("| `%s` | %d | %d | %s | %s | %.0f |" % (" ".join(Question), Count, len(Processors), spread(Wall, "%.2f"),
                                                         spread(Cpu, "%.2f"), max(Memory) / 1e6), flush=True)


def parser(Doc, Units):
    """Of the options that every measurement of sessions has."""
    Parser = argparse.ArgumentParser(description=Doc.split("\n")[0])
    Parser.add_argument("--units", default=Units)
    Parser.add_argument("--rounds", type=int, default=3)
    Parser.add_argument("--clang", default="clang++-22")
    Parser.add_argument("--unit", help="one source, instead of those of the standard library")
    Parser.add_argument("--session", help="a session whose traces are taken, instead of recording any")
    Parser.add_argument("--tool", default=os.path.join(ROOT, "build", "bin", "instantrace"))
    Parser.add_argument("--folder", help="where to work (default: one of its own, which is removed)")
    return Parser


def run_in_folder(Opts, Measure):
    Folder = os.path.abspath(Opts.folder or tempfile.mkdtemp(prefix="instantrace-session-"))
    try:
        Measure(Opts, Folder)
    finally:
        if not Opts.folder:
            shutil.rmtree(Folder)


def main():
    Parser = parser(__doc__, "10,100,1000")
    Parser.add_argument("--only", default="", help="questions with this in them")
    run_in_folder(Parser.parse_args(), measure)


if __name__ == "__main__":
    main()
