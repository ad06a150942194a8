#!/usr/bin/env python3
"""Runs clang-tidy over the units of a build, as a suite of CI.

usage: tidy.py [--all] [--commits N] [--lines N] [--only TEXT] BUILD RESULTS

BUILD is made with the preset `whole`, in which one unit compiles many files: most
of clang-tidy's time goes into headers, which it reads once for all of them. What
is checked: the units of CENTRAL targets, and those with a file that one of the
last N commits changed (20; a header counts as the .cpp of its name), those with
most of them first, up to N lines (3000) but for one unit at least, so that two
clones of one commit check the same in a few minutes. --all checks every unit,
--only those with TEXT in their name or their files'.

Each unit is a test in RESULTS, which is like lit's for test/counts.py. A finding
fails it; which checks there are, and why others are off, is in .clang-tidy. Exits
with 1 when one failed.
"""

import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# What runs in other people's compilers, and what reads files of unknown origin.
CENTRAL = [
    "instantrace_module_writer",
    "instantrace_loader",
    "instantrace_entry_{newest}",
    "instantrace_objects_{newest}",
    "instantrace_reader",
]
TIDY = [
    "clang-tidy-22",
    "--quiet",
    "--warnings-as-errors=*",
    # g++ has it and Clang has not.
    "--extra-arg=-Wno-unknown-warning-option",
    # libstdc++ 12 uses itself what it says is deprecated.
    "--extra-arg=-Wno-deprecated-declarations",
    # Where the build made it by g++, its text is read.
    "--extra-arg=-Wno-ignored-gch",
]
FINDING = re.compile(r"^(.*?:\d+:\d+): (?:warning|error): (.*)$", re.M)


def newest_major():
    with open(os.path.join(ROOT, "plugin", "clang-majors.txt")) as File:
        return [Line.strip() for Line in File if Line.strip().isdigit()][-1]


def changed_files(Commits):
    """Of the last Commits, those changed last first; none where there is no history."""
    Git = ["git", "-c", "safe.directory=*", "-C", ROOT, "log", "-n", str(Commits), "--format=", "--name-only"]
    return list(dict.fromkeys(subprocess.run(Git, capture_output=True, text=True).stdout.splitlines()))


def units(Build):
    """(path, target, our files in it) of everything that is compiled from our sources."""
    with open(os.path.join(Build, "compile_commands.json")) as File:
        Commands = json.load(File)
    for Path in sorted({os.path.join(C["directory"], C["file"]) for C in Commands}):
        Sources = [Path]
        if "/Unity/" in Path:
            with open(Path) as File:
                Sources = re.findall(r'#include "(.*)"', File.read())
        Ours = [os.path.relpath(S, ROOT) for S in Sources if S.startswith(ROOT + "/") and not S.startswith(Build + "/")]
        Target = re.search(r"/CMakeFiles/([\w-]+)\.dir/", Path)
        if Ours:
            yield Path, Target.group(1) if Target else "", Ours


def line_count(Sources):
    Lines = 0
    for Source in Sources:
        with open(os.path.join(ROOT, Source), "rb") as File:
            Lines += File.read().count(b"\n")
    return Lines


def check(Build, Path, Name):
    Start = time.monotonic()
    Run = subprocess.run(TIDY + ["-p", Build, Path], cwd=ROOT, capture_output=True, text=True)
    Found = sorted(set(FINDING.findall(Run.stdout)))
    Good = Run.returncode == 0 and not Found
    Lines = ["%s: %s" % (os.path.relpath(P, ROOT), Text) for P, Text in Found]
    if not Good and not Found:
        Lines = [Run.stdout + Run.stderr]
    return {
        "name": Name,
        "code": "PASS" if Good else "FAIL",
        "output": "\n".join(Lines),
        "elapsed": time.monotonic() - Start,
    }


def main():
    Parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    Parser.add_argument("--all", action="store_true")
    Parser.add_argument("--commits", type=int, default=20)
    Parser.add_argument("--lines", type=int, default=3000)
    Parser.add_argument("--only", default="")
    Parser.add_argument("build")
    Parser.add_argument("results")
    Options = Parser.parse_args()
    Build = os.path.abspath(Options.build)
    Central = {Target.format(newest=newest_major()) for Target in CENTRAL}
    Changed = set()
    if not Options.all:
        Changed = {re.sub(r"\.h$", ".cpp", Path) for Path in changed_files(Options.commits)}
        if not Changed:
            print("no history here: only the central units are checked")
    Chosen, Candidates = [], []
    for Path, Target, Sources in units(Build):
        Name = "tidy :: %s (%s)" % (Target or Sources[0], ", ".join(sorted({os.path.dirname(S) for S in Sources})))
        if Options.only not in Name + " ".join(Sources):
            continue
        if Options.all or Target in Central:
            Chosen.append((Path, Name))
        elif Changed.intersection(Sources):
            Candidates.append((-len(Changed.intersection(Sources)), Path, Name, line_count(Sources)))
    Lines = LeftOut = 0
    for _, Path, Name, Count in sorted(Candidates):
        if Lines and Lines + Count > Options.lines:
            LeftOut += 1
            continue
        Lines += Count
        Chosen.append((Path, Name))
    if LeftOut:
        print("%d units with changed files are left to --all: together too long for each run" % LeftOut)
    Tests = []
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("INSTANTRACE_JOBS") or os.cpu_count())) as Pool:
        # One by one: --all takes an hour, and what it found is not to wait for its end.
        for Test in Pool.map(lambda Unit: check(Build, *Unit), Chosen):
            Tests.append(Test)
            print("%s: %s (%.0f s)" % (Test["code"], Test["name"], Test["elapsed"]))
            if Test["code"] == "FAIL":
                print(Test["output"])
            sys.stdout.flush()
    with open(Options.results, "w") as File:
        json.dump({"tests": Tests}, File, indent=1)
    return 0 if Tests and all(T["code"] == "PASS" for T in Tests) else 1


if __name__ == "__main__":
    sys.exit(main())
