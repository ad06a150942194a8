#!/usr/bin/env python3
"""Measures what reading a trace costs: CPU time and memory over its intervals.

usage: tool.py [--unit FILE.cpp] [--flags "..."] [--copies N,N,...] [--rounds N]
               [--plot FILE.svg] [--tool PATH] [COMMAND [OPTION...]]...

Compiles a real translation unit with the plugin once, concatenates its trace so
many times (which is how builds are put together, see proto/FORMAT.md), and runs
each command on the result; rounds rotate through commands and sizes. A cell is
the median of user and system time, and the largest resident set. Commands are
separated by `--`; without any, those of COMMANDS. One with the word @itx is given
the index instead of the trace; the index is made beforehand.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import tempfile

import names_plot
from run import MAJORS
from spent import spent

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(ROOT, "build", "bin", "instantrace")
PLUGIN = os.path.join(ROOT, "build", "lib", "instantrace", "libinstantrace.so")
UNIT = os.path.join(os.path.dirname(ROOT), "shared", "corpus", "concepts_heavy.cpp")
COMMANDS = [
    ["summary", "--by=template"],
    ["summary", "--by=header"],
    ["summary", "--by=template", "--match=std"],
    ["tree"],
    ["why", "glob:*"],
    ["depth"],
    ["names"],
]


def record(Clang, Unit, Flags, Folder):
    Trace = os.path.join(Folder, "unit.itrace")
    subprocess.run(
        [Clang, "-fplugin=" + PLUGIN, "-fplugin-arg-instantrace-output=" + Trace, "-w"]
        + Flags + ["-c", Unit, "-o", os.path.join(Folder, "unit.o")],
        check=True,
    )
    return Trace


def intervals(Trace):
    Out = subprocess.run(
        [TOOL, "query", "--json", Trace, "SELECT count(*) AS n FROM intervals"],
        check=True, stdout=subprocess.PIPE,
    ).stdout
    return json.loads(Out)[0]["n"]


def measure(Command, Trace):
    """(CPU seconds, bytes of memory)"""
    Input = re.sub("itrace$", "itx", Trace) if "@itx" in Command else Trace
    Arguments = [TOOL, Command[0], Input] + [Word for Word in Command[1:] if Word != "@itx"]
    _, Cpu, Memory = spent(Arguments)
    return Cpu, Memory


def commands(Rest):
    Found, Now = [], []
    for Word in Rest + ["--"]:
        if Word != "--":
            Now.append(Word)
        elif Now:
            Found.append(Now)
            Now = []
    return Found or COMMANDS


def main():
    global TOOL
    Parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    Parser.add_argument("--clang", default="clang++-%d" % MAJORS[-1])
    Parser.add_argument("--unit", default=UNIT)
    Parser.add_argument("--flags", default="-std=c++20")
    Parser.add_argument("--copies", default="1,2,4,8,12")
    Parser.add_argument("--rounds", type=int, default=5)
    Parser.add_argument("--plot")
    Parser.add_argument("--tool", default=TOOL)
    Parser.add_argument("rest", nargs=argparse.REMAINDER)
    Opts = Parser.parse_args()
    Commands = commands(Opts.rest)
    TOOL = Opts.tool
    with tempfile.TemporaryDirectory(prefix="instantrace-bench-") as Folder:
        Trace = record(Opts.clang, Opts.unit, Opts.flags.split(), Folder)
        One = open(Trace, "rb").read()
        Sizes = []
        for Copies in map(int, Opts.copies.split(",")):
            Path = os.path.join(Folder, "%d.itrace" % Copies)
            with open(Path, "wb") as Out:
                for _ in range(Copies):
                    Out.write(One)
            if any("@itx" in Command for Command in Commands):
                subprocess.run([TOOL, "index", Path], check=True)
            Sizes.append((Path, Copies * intervals(Trace), Copies * len(One)))
        Samples = {}
        for Round in range(Opts.rounds):
            for Index in range(len(Commands)):
                Command = Commands[(Index + Round) % len(Commands)]
                for Path, Count, _ in Sizes:
                    Samples.setdefault((tuple(Command), Count), []).append(measure(Command, Path))
    report(Opts, Commands, Sizes, Samples)


def report(Opts, Commands, Sizes, Samples):
    print("unit %s, %d rounds, load %s\n" % (os.path.basename(Opts.unit), Opts.rounds,
                                           " ".join("%.1f" % L for L in os.getloadavg())))
    print("| command | intervals | trace, MB | CPU, s (min..max) | ns per interval | memory, MB | : trace |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    Curves = []
    for Command in Commands:
        Points = []
        for _, Count, Bytes in Sizes:
            Cpu = [S for S, _ in Samples[tuple(Command), Count]]
            Memory = max(M for _, M in Samples[tuple(Command), Count])
            Median = statistics.median(Cpu)
            Points.append((Count, Median))
            print("| `%s` | %d | %.1f | %.3f (%.3f..%.3f) | %.0f | %.0f | %.1f |"
                  % (" ".join(Command), Count, Bytes / 1e6, Median, min(Cpu), max(Cpu),
                     1e9 * Median / Count, Memory / 1e6, Memory / Bytes))
        Curves.append(names_plot.Curve(" ".join(Command), Points))
    if len(Sizes) > 1:
        print("\nExponent of growth: " + ", ".join("`%s` %.2f" % (C.name, C.slope()) for C in Curves) + ".")
    if Opts.plot:
        with open(Opts.plot, "w", encoding="utf-8") as Out:
            Out.write(names_plot.picture([("CPU time, s", "intervals", Curves[:5])], HasFits=True))


if __name__ == "__main__":
    main()
