"""Fails when recording takes more instructions than it used to, per thing recorded.

Flow:   test/plugin/cost/Inputs/work.cpp, with more of one thing -> callgrind ->
        instructions of ours -> per thing, beside utils/bench/cost/instructions.json
Leaves: what a whole compile costs, to cost.py

Five compiles for each Clang: one of the input as it is, and one each with many more
events, memoized hits, entities or files in it. What a compile takes more than the
first, divided by how many things more its trace reports, is the figure: start and end
of a profile are in none. Only instructions in our own object files count, loader and
module: what others are (Clang, glibc's memcpy for this processor, the dynamic linker)
is no matter of ours, and may be another on the next machine. Nor does it matter how fast
the machine is: the compile is given a clock that goes on by the same step each time it
is read, since a longer time takes more bytes in a record. What is left of noise is where
things are in memory, which decides how long a look-up in a hash table takes: with paths
from 2 to 228 characters, figures differ by 0.5 % at most.
"""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import callgrind
import run

INPUT = os.path.join(run.ROOT, "test", "plugin", "cost", "Inputs", "work.cpp")
STORED = os.path.join(run.ROOT, "utils", "bench", "cost", "instructions.json")
STORE = "python3 utils/bench/cost.py --gate --store"
MARGIN = 0.03
# A thing, and the macro of the input that makes many of it.
THINGS = {"event": "MORE_EVENTS", "memoized hit": "MORE_HITS", "entity": "MORE_ENTITIES", "file": "MORE_FILES"}
COUNTS = """SELECT (SELECT sum(events) FROM sequences) AS "event",
  (SELECT sum(memoized) FROM entities) AS "memoized hit",
  (SELECT count(*) FROM entities) AS "entity", (SELECT count(*) FROM files) AS "file" """
FILES = 128
# The clock that EVEN_CLOCK replaces.
# By that clock, whatever it is read twice for takes long enough to be recorded.
MONOTONIC = "-fplugin-arg-instantrace-clock=monotonic"
CLOCK = [MONOTONIC, "-fplugin-arg-instantrace-statement-time=1000000000"]
EVEN_CLOCK = os.path.join(run.ROOT, "test", "plugin", "cost", "Inputs", "even-clock.c")


# What is compiled


def write_files(Folder):
    """Headers in pairs, the outer of which has nothing in it but the inner one."""

    def write(Name, Lines):
        with open(os.path.join(Folder, Name), "w", encoding="utf-8") as File:
            File.write("\n".join(Lines) + "\n")

    for Number in range(FILES + 1):
        Comment = ["// Some lines that are longer than others: " + "x" * (N * 7 % 40) for N in range(5 + Number % 11)]
        write("outer-%03d.h" % Number, Comment + ['#include "inner-%03d.h"' % Number])
        write("inner-%03d.h" % Number, Comment + ["static int Of%d = sizeInBytes(%d);" % (Number, Number)])
    include = lambda Numbers: ['#include "outer-%03d.h"' % N for N in Numbers]
    write("few-files.h", include([0]))
    write("more-files.h", include(range(1, FILES + 1)))


def is_ours(Object):
    return os.path.basename(Object).startswith(
        ("libinstantrace.so", "instantrace-entry-clang-", "instantrace-clang-")
    )


def even_clock(Options, Major, Folder):
    """The library to preload, made in Folder."""
    Clock = os.path.join(Folder, "even-clock.so")
    subprocess.run([run.clang(Options, Major), "-shared", "-fPIC", "-O1", "-x", "c", EVEN_CLOCK, "-o", Clock], check=True)
    return Clock


def count_once(Options, Major, Macro):
    """{"instructions": of ours, thing: how many the trace has}."""
    # In a folder of its own, with short names in it, and hardly any environment:
    # what a compile is told is the same everywhere.
    Environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "CLANG_NO_DEFAULT_CONFIG": "1"}
    with tempfile.TemporaryDirectory(prefix="instantrace-cost-") as Folder:
        shutil.copy(INPUT, os.path.join(Folder, "work.cpp"))
        write_files(Folder)
        Environment["LD_PRELOAD"] = even_clock(Options, Major, Folder)
        Command = [run.clang(Options, Major), "-std=c++17", "-w", "-fsyntax-only", "-nostdinc"]
        Command += ["-D" + Macro] if Macro else []
        Command += run.plugin_flags(Options, Major, "Instantrace", "") + CLOCK + ["work.cpp"]
        Profile = callgrind.count_compile(Command, Folder, Environment)
        Tool = os.path.join(Options.build, "bin", "instantrace")
        Query = [Tool, "query", "--json", os.path.join(Folder, "x.itrace"), COUNTS]
        Done = subprocess.run(Query, capture_output=True, text=True)
        if Done.returncode != 0:
            raise callgrind.Failure("no counts: %s" % Done.stderr.strip())
        Own = sum(Cost for Object, Cost in Profile.objects().items() if is_ours(Object))
        return {"instructions": Own, **json.loads(Done.stdout)[0]}


def count(Options, Major):
    """{"": counts of the input as it is, thing: counts with many of it}."""
    return {Thing: count_once(Options, Major, Macro) for Thing, Macro in [("", None), *THINGS.items()]}


# Whether this build is the one that the figures are of


def built(Build):
    """What decides which instructions a module has, apart from the sources."""
    Result = {}
    with open(os.path.join(Build, "CMakeCache.txt"), encoding="utf-8") as File:
        for Line in File:
            Entry = re.match(r"(\w+):\w+=(.*)$", Line)
            if Entry:
                Result[Entry.group(1)] = Entry.group(2)
    for Path in glob.glob(os.path.join(Build, "CMakeFiles", "*", "CMakeCXXCompiler.cmake")):
        with open(Path, encoding="utf-8") as File:
            Text = File.read()
        Id = re.search(r'CMAKE_CXX_COMPILER_ID "(\w+)"', Text).group(1)
        Result["compiler"] = Id + " " + re.search(r'CMAKE_CXX_COMPILER_VERSION "(\d+)', Text).group(1)
    return Result


def built_by_ci():
    """The same of the preset that `utils/dev test` builds, the compiler left out."""
    with open(os.path.join(run.ROOT, "CMakePresets.json"), encoding="utf-8") as File:
        Presets = {P["name"]: P for P in json.load(File)["configurePresets"]}
    Result, Name = {}, "whole"
    while Name:
        Result = {**Presets[Name]["cacheVariables"], **Result}
        Name = Presets[Name].get("inherits")
    Own = "CMAKE_CXX_FLAGS_" + Result["CMAKE_BUILD_TYPE"].upper()
    Wanted = ["CMAKE_BUILD_TYPE", "CMAKE_CXX_FLAGS", Own, "CMAKE_UNITY_BUILD", "INSTANTRACE_SANITIZE"]
    return {Key: Result.get(Key, "") for Key in Wanted}


def reason_to_skip(Build, Compiler):
    """Why figures of CI's build, by Compiler or any if None, cannot be had; "" if they can."""
    Here, Wanted = built(Build), built_by_ci()
    if Compiler:
        Wanted["compiler"] = Compiler
    for Key, Wanted in Wanted.items():
        if Here.get(Key, "") != Wanted:
            Found = "%s is %s" % (Key, Here.get(Key) or "empty")
            return "instructions are compared of CI's build alone: %s, and %s there" % (Found, Wanted or "empty")
    return ""


# The figures


def figures(Counts):
    """{thing: instructions for each}"""
    Result = {}
    for Thing in THINGS:
        Less, More = Counts[""], Counts[Thing]
        if More[Thing] <= Less[Thing]:
            raise callgrind.Failure("%s does not make more of %s: %s, %s" % (THINGS[Thing], Thing, Less, More))
        Result[Thing] = (More["instructions"] - Less["instructions"]) / (More[Thing] - Less[Thing])
    return Result


def read_stored(Path):
    with open(Path, encoding="utf-8") as File:
        return json.load(File)


def store(Path, Found, Releases, Compiler):
    Stored = read_stored(Path) if os.path.exists(Path) else {"clang": {}}
    Stored["compiler"] = Compiler or Stored["compiler"]
    for Major, Figures in Found.items():
        Rounded = {Thing: round(Figure, 1) for Thing, Figure in Figures.items()}
        Stored["clang"][Major] = {"release": Releases.get(Major, "unknown"), "instructions per": Rounded}
    with open(Path, "w", encoding="utf-8") as File:
        json.dump(Stored, File, indent=2)
        File.write("\n")


def compare(Stored, Found, Releases):
    """Prints what is found beside what is stored; whether nothing has grown."""
    Grown = Shrunk = False
    for Major, Figures in Found.items():
        Known = Stored["clang"].get(Major)
        if not Known:
            print("Clang %s: no figures are stored" % Major)
            Grown = True
            continue
        for Thing, Figure in Figures.items():
            Expected = Known["instructions per"][Thing]
            Growth = Figure / Expected - 1
            Percent = round(100 * Growth, 1) + 0.0  # and no -0.0
            Verdict = ""
            if Growth > MARGIN:
                Grown, Verdict = True, ": more than %g %% over it" % (100 * MARGIN)
            elif Growth < -MARGIN:
                Shrunk, Verdict = True, ": less"
            Text = "Clang %s: %.1f instructions per %s, %.1f stored, %+.1f %%%s"
            print(Text % (Major, Figure, Thing, Expected, Percent, Verdict))
        if Releases.get(Major, Known["release"]) != Known["release"]:
            print("Clang %s: stored with release %s, this is %s" % (Major, Known["release"], Releases[Major]))
    if Grown:
        print("cost: recording has become more expensive; if that is meant: " + STORE)
    elif Shrunk:
        print("cost: recording has become cheaper; to hold it there: " + STORE)
    return not Grown


def release(Options, Major):
    Done = subprocess.run([run.clang(Options, Major), "-dumpversion"], capture_output=True, text=True)
    return Done.stdout.strip() or "unknown"


def main(Options):
    Reason = callgrind.reason_to_skip()
    if Options.stored == STORED:  # other builds are compared by hand, each in a file of its own
        Reason = Reason or reason_to_skip(Options.build, None if Options.store else read_stored(STORED)["compiler"])
    if Reason:
        sys.exit("cost: " + Reason)
    Counts = {str(Major): count(Options, Major) for Major in Options.clang}
    Releases = {str(Major): release(Options, Major) for Major in Options.clang}
    Compiler = built(Options.build)["compiler"]
    if Options.json:
        with open(Options.json, "w", encoding="utf-8") as File:
            json.dump(Counts, File, indent=1)
            File.write("\n")
    Found = {Major: figures(Of) for Major, Of in Counts.items()}
    IsGood = compare(read_stored(Options.stored), Found, Releases) if os.path.exists(Options.stored) else True
    if Options.store:
        store(Options.stored, Found, Releases, Compiler)
        print("stored in " + os.path.relpath(Options.stored))
        return 0
    return 0 if IsGood else 1
