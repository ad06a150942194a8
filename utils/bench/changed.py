#!/usr/bin/env python3
"""What `critical-path` and `advise` expect of a build, beside that build changed in truth.

usage: changed.py [--part critical|precompile|narrow-include|extern-template]
                  [--units N] [--rounds N] [-j P] [--clang CLANG] [--tool PATH]
                  [--header NAME --into FILE] [--keep DIR]

The build is units of this project's tool, from a copy of its sources, by -fsyntax-only,
so that it fits a machine that is busy, or for the last two parts by -O0 -c; they begin in
one order, P at once. It runs under
`record`, and then as it was and changed, in rounds that change places.

critical: in the copy, --into includes --header, which it has no need for. What `critical-path`
expects of the build's wall time if that header took no time is compared with the build
without the #include: by the wall time of both, and by *replay*, in which each compile
takes its CPU time, P at once in the same order, so that other work on the machine does
not count.

precompile makes the header once that `advise` lists, and counts that. narrow-include
replaces the umbrella that would save most by the parts that are advised for it, in each
file. extern-template declares what is advised first, and instantiates it in one unit
more: how that is written is not in the advice, so it is here, for the one function that
this project has. What is saved is CPU time of the whole build; the estimate is a share of
the traces' wall time.
"""

import argparse
import datetime
import heapq
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from run import MAJORS

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COPIED = ["proto", "runtime", "utils"]
# Where units are taken from, in turn.
FOLDERS = ["utils/analysis", "utils/render", "utils/session", "utils/open"]
# These include a library's umbrella header, and have templates in common.
COMMANDS = ["utils/commands", "utils/cli", "utils/render"]
CHOICES = "instantrace::addChoice<instantrace::ColorChoice, 3UL, instantrace::ColorChoice>"
CHOICES_HEADER = "utils/cli/ColorOption.h"
CHOICES_DECLARED = """template CLI::Option *addChoice(CLI::App &, const char *, const Choice<ColorChoice> (&)[3], ColorChoice &,
                                const std::string &);
"""


class Build:
    """Units of one folder of sources."""

    def __init__(self, Source, Generated, Units, Opts, Objects=False):
        self.source, self.units, self.opts, self.objects = Source, Units, Opts, Objects
        self.options = ["-DFMT_SHARED", '-DINSTANTRACE_VERSION="0.1.0"', "-I" + Source, "-isystem", Generated,
                        "-std=c++20", "-O0", "-w"]
        self.first = []  # a command that comes before all of them
        self.more = []   # options

    def commands(self):
        return [[self.opts.clang, *self.options, *self.more, *self.made(U), os.path.join(self.source, U)] for U in self.units]

    def made(self, Unit):
        if not self.objects:
            return ["-fsyntax-only"]
        return ["-c", "-o", os.path.join(self.source, Unit + ".o")]

    def run(self):
        """(wall, CPU of what comes first, CPU of each unit)"""
        Begin, First = time.monotonic(), 0
        if self.first:
            First = run([self.first], 1)[0]
        Cpu = run(self.commands(), self.opts.j)
        return time.monotonic() - Begin, First, Cpu

    def record(self, Session):
        """By this script, as the build that it is."""
        List = Session + ".json"
        with open(List, "w") as File:
            json.dump(self.commands(), File)
        subprocess.run([self.opts.tool, "record", "-q", "-o", Session, "--", sys.executable, __file__, "--run", List,
                        "-j", str(self.opts.j)], check=True)
        return Session


def run(Commands, Processes):
    """CPU seconds of each, so many at once."""
    Cpu, Running, Next = [0.0] * len(Commands), {}, 0
    while Next != len(Commands) or Running:
        while Next != len(Commands) and len(Running) < Processes:
            Pid = os.posix_spawnp(Commands[Next][0], Commands[Next], os.environ)
            Running[Pid], Next = Next, Next + 1
        Pid, Status, Usage = os.wait4(-1, 0)
        if Status != 0:
            sys.exit("%s: found status %d, expected 0" % (" ".join(Commands[Running[Pid]]), Status))
        Cpu[Running.pop(Pid)] = Usage.ru_utime + Usage.ru_stime
    return Cpu


def replayed(Times, Processes):
    """When the last ends, if each takes so long and nothing else runs."""
    Free = [0.0] * Processes
    for Time in Times:
        heapq.heapreplace(Free, Free[0] + Time)
    return max(Free)


def answer(Opts, Command, *Words):
    Done = subprocess.run([Opts.tool, Command, "--json", "-n", "0", *Words], check=True, stdout=subprocess.PIPE)
    return json.loads(Done.stdout)


def rounds(Opts, Plain, Changed, Rounds):
    """Pairs of what run() gives."""
    Pairs = []
    for Round in Rounds:
        Order = [Plain, Changed] if Round % 2 == 0 else [Changed, Plain]
        Done = {id(B): B.run() for B in Order}
        Pairs.append((Done[id(Plain)], Done[id(Changed)]))
    return Pairs


def share(Pairs, Of):
    """What is saved, of each round, in percent."""
    Saved = [100 * (1 - Of(Changed) / Of(Plain)) for Plain, Changed in Pairs]
    return of(Saved)


def spread(Pairs, At, Of):
    return of([Of(P[At]) for P in Pairs])


def of(Values):
    return "%.1f (%.1f..%.1f)" % (statistics.median(Values), min(Values), max(Values))


def copied(Opts, Scratch, Name):
    Folder = os.path.join(Scratch, Name)
    for Each in COPIED:
        shutil.copytree(os.path.join(ROOT, Each), os.path.join(Folder, Each))
    return Folder


def chosen(Opts, Folders=FOLDERS):
    """Units of one folder after the other."""
    Units = []
    for Folder in Folders:
        for At, Below, Files in os.walk(os.path.join(ROOT, Folder)):
            Below.sort()
            Units += [os.path.relpath(os.path.join(At, F), ROOT) for F in sorted(Files) if F.endswith(".cpp")]
    return Units[:Opts.units]


def critical(Opts, Scratch):
    Generated, Units = os.path.join(ROOT, "build"), chosen(Opts)
    Sources = {V: copied(Opts, Scratch, V) for V in ("with", "without")}
    Path = os.path.join(Sources["with"], Opts.into)
    with open(Path) as File:
        Text = File.read()
    with open(Path, "w") as File:
        File.write(Text.replace("#include", "#include <%s>\n#include" % Opts.header, 1))
    Plain, Changed = (Build(Sources[V], Generated, Units, Opts) for V in ("with", "without"))
    Pairs, Expected, Readers = [], [], 0
    for Round in range(Opts.rounds):
        Report = answer(Opts, "critical-path", Plain.record(os.path.join(Scratch, "session-%d" % Round)))
        Rows = [R for R in Report["rows"] if R["kind"] == "header" and R["name"].endswith("/" + Opts.header)]
        if not Rows:
            sys.exit("found no header %s in the traces, expected one that %s brings into them" % (Opts.header, Opts.into))
        Readers = Rows[0]["units"]
        Expected.append(100 * sum(R["saved_ns"] for R in Rows) / Report["wall_ns"])
        Pairs += rounds(Opts, Plain, Changed, [Round])
    Replay = lambda Of: replayed(Of[2], Opts.j)
    print("| header | units that read it | wall with, s | without, s | expected, % | wall saved, % | replay saved, % |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    print("| `<%s>` in `%s` | %d of %d | %s | %s | %s | %s | %s |"
          % (Opts.header, Opts.into, Readers, len(Units), spread(Pairs, 0, lambda Of: Of[0]),
             spread(Pairs, 1, lambda Of: Of[0]), of(Expected),
             share(Pairs, lambda Of: Of[0]), share(Pairs, Replay)), flush=True)


def precompiled(Opts, Scratch, Changed, Rows):
    Header = os.path.join(Scratch, "pch.h")
    with open(Header, "w") as File:
        File.write("\n".join(L for L in Rows[0]["snippet"].split("\n") if L.startswith("#")) + "\n")
    Changed.first = [Opts.clang, *Changed.options, "-x", "c++-header", Header, "-o", Header + ".pch"]
    Changed.more = ["-include-pch", Header + ".pch"]


def edited(Path, Change):
    with open(Path) as File:
        Text = File.read()
    Changed = Change(Text)
    if Changed != Text:
        with open(Path, "w") as File:
            File.write(Changed)
    return Changed != Text


def narrowed(Opts, Scratch, Changed, Rows):
    """Only the first: others may be of files that it no longer leads to."""
    Lines = Rows[0]["snippet"].split("\n")
    Groups = [L for L in Lines if L.startswith("//")]
    if len(Groups) != 1 or Lines[0] != Groups[0]:
        sys.exit("%s: found %d groups of files, expected one\n%s" % (Rows[0]["name"], len(Groups), Rows[0]["snippet"]))
    Umbrella = re.compile(r"#include <(%s)>" % "|".join(
        re.escape("/".join(Rows[0]["name"].split("/")[-N:])) for N in (3, 2, 1)))
    Files = [os.path.join(At, F) for At, _, Names in os.walk(Changed.source) for F in Names if F.endswith((".h", ".cpp"))]
    Count = sum(edited(F, lambda Text: Umbrella.sub("\n".join(Lines[1:]), Text)) for F in Files)
    if Count == 0:
        sys.exit("%s: found no file that includes it, expected some" % Rows[0]["name"])


def instantiated(Opts, Scratch, Changed, Rows):
    if Rows[0]["name"] != CHOICES:
        sys.exit("found the advice for %s first, expected that for %s" % (Rows[0]["name"], CHOICES))
    Before = "inline void addColorOption"
    if not edited(os.path.join(Changed.source, CHOICES_HEADER),
                  lambda Text: Text.replace(Before, "extern " + CHOICES_DECLARED + "\n" + Before)):
        sys.exit("%s: found no %s, expected one" % (CHOICES_HEADER, Before))
    Unit = "utils/cli/ColorOption.cpp"
    with open(os.path.join(Changed.source, Unit), "w") as File:
        File.write('#include "%s"\n\nnamespace instantrace {\n%s}\n' % (CHOICES_HEADER, CHOICES_DECLARED))
    Changed.units = [*Changed.units, Unit]


# How it is applied, and to which units: whether objects are made of them.
ADVICE = {
    "precompile": (precompiled, FOLDERS, False),
    "narrow-include": (narrowed, COMMANDS, True),
    "extern-template": (instantiated, COMMANDS, True),
}


def advised(Opts, Scratch, Parts):
    print("| advice | units | suggested | CPU before, s | after, s | estimate, % (least..most) | saved, % | error, points |")
    print("|---|---:|---|---:|---:|---:|---:|---:|", flush=True)
    Recorded = {}
    for Part in Parts:
        Apply, Folders, Objects = ADVICE[Part]
        Units = chosen(Opts, Folders)
        build = lambda Name: Build(copied(Opts, Scratch, Name), os.path.join(ROOT, "build"), Units, Opts, Objects)
        if Objects not in Recorded:
            Plain = build("plain-%d" % Objects)
            Recorded[Objects] = Plain, Plain.record(os.path.join(Scratch, "advice-%d" % Objects))
        Plain, Session = Recorded[Objects]
        Report = answer(Opts, "advise", "--only=" + Part, "--min-share=0.1", Session)
        Rows = Report["rows"][:1]
        if not Rows:
            print("| `%s` | %d | nothing above 0.1 %% | | | | | |" % (Part, len(Units)), flush=True)
            continue
        Changed = build(Part)
        Apply(Opts, Scratch, Changed, Rows)
        Pairs = rounds(Opts, Plain, Changed, range(Opts.rounds))
        Cpu = lambda Of: Of[1] + sum(Of[2])
        Shares = [100 * Rows[0][K] / Report["total_ns"] for K in ("saving_ns", "least_ns", "most_ns")]
        Saved = statistics.median(100 * (1 - Cpu(C) / Cpu(P)) for P, C in Pairs)
        print("| `%s` | %d | `%s` | %s | %s | %.1f (%.1f..%.1f) | %s | %+.1f |"
              % (Part, len(Units), Rows[0]["name"], spread(Pairs, 0, Cpu), spread(Pairs, 1, Cpu), *Shares, share(Pairs, Cpu),
                 Shares[0] - Saved), flush=True)


def main():
    Parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    Parser.add_argument("--part", choices=["critical", *ADVICE], help="all by default")
    Parser.add_argument("--units", type=int, default=60)
    Parser.add_argument("--rounds", type=int, default=2)
    Parser.add_argument("-j", type=int, default=os.cpu_count())
    Parser.add_argument("--clang", default="clang++-%d" % MAJORS[-1])
    Parser.add_argument("--tool", default=os.path.join(ROOT, "build", "bin", "instantrace"))
    Parser.add_argument("--header", default="regex")
    Parser.add_argument("--into", default="utils/analysis/names/RowName.h")
    Parser.add_argument("--keep", help="a new folder to work in, which stays")
    Parser.add_argument("--run", help=argparse.SUPPRESS)
    Opts = Parser.parse_args()
    if Opts.run:
        with open(Opts.run) as File:
            run(json.load(File), Opts.j)
        return
    Parts = [Opts.part] if Opts.part else ["critical", *ADVICE]
    Scratch = os.path.abspath(Opts.keep or tempfile.mkdtemp(prefix="instantrace-changed-"))
    os.makedirs(Scratch, exist_ok=not Opts.keep)
    print("%s, %d units, %d rounds, -j%d, %s, %d processors, load %.1f\n"
          % (Opts.clang, len(chosen(Opts)), Opts.rounds, Opts.j, datetime.date.today(), os.cpu_count(), os.getloadavg()[0]),
          flush=True)
    try:
        if "critical" in Parts:
            critical(Opts, Scratch)
            print(flush=True)
        if set(Parts) & set(ADVICE):
            advised(Opts, Scratch, [P for P in Parts if P in ADVICE])
        print("\nload at the end %.1f" % os.getloadavg()[0])
    finally:
        if not Opts.keep:
            shutil.rmtree(Scratch)


if __name__ == "__main__":
    main()
