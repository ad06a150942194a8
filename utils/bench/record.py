#!/usr/bin/env python3
"""Builds real projects plain, under `record`, and with -ftime-trace, and does what
`advise` says of precompiled headers.

usage: record.py [--rounds N] [--clang CLANG] [--only WORD] [--part overhead|precompile]
                 [--tool PATH]

The builds are googletest's sources, as Debian has them, without and with its tests, and
the units of this project's tool, each as its own unit, by CMake and Ninja on all processors. What is
compared is user and system time of all processes of a build: `record` itself is
one of them. Rounds go through all variants in turn; the first has the warm caches.
`plugin` is the plugin without `record`, by CCC_OVERRIDE_OPTIONS: what is beyond it is
`record`'s. Its own time is also told by itself: that of all without that of the build,
which session.json has.

precompile: the suggestion of `advise --only=precompile` is applied by CMake to the
target that it names. Shares are compared: the estimate's of the wall time of all
compiles in the traces, and the saving's of the build's CPU time.
"""

import argparse
import datetime
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

from run import MAJORS

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(ROOT, "build", "bin", "instantrace")
# name: sources, CMake options, ninja's targets.
BUILDS = {
    "googletest": ("/usr/src/googletest", [], []),
    "tests of googletest": ("/usr/src/googletest", ["-Dgtest_build_tests=ON", "-Dgmock_build_tests=ON"], []),
    "instantrace": (ROOT, ["-DBUILD_TESTING=OFF", "-DINSTANTRACE_CLANG_MAJORS=",
                           "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O0"],
                    ["instantrace_tool"]),
}


def configure(Name, Folder, Clang, Extra=()):
    Source, Options, _ = BUILDS[Name]
    Command = ["cmake", "-GNinja", "-S", Source, "-B", Folder, "-DCMAKE_CXX_COMPILER=" + Clang,
               "-DCMAKE_C_COMPILER=" + Clang.replace("clang++", "clang"), *Options, *Extra]
    Done = subprocess.run(Command, capture_output=True, text=True)
    if Done.returncode != 0:
        sys.exit("%s: found exit code %d of cmake, expected 0\n%s" % (Name, Done.returncode, Done.stderr))


def measured(Command, **Variables):
    """User and system time of a command and all below it, and its wall time."""
    Begin = datetime.datetime.now()
    Pid = os.posix_spawnp(Command[0], Command, {**os.environ, **Variables},
                          file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
    _, Status, Usage = os.wait4(Pid, 0)
    if Status != 0:
        sys.exit("%s: found status %d, expected 0" % (" ".join(Command), Status))
    return Usage.ru_utime + Usage.ru_stime, (datetime.datetime.now() - Begin).total_seconds()


def bytes_of(Folder, Ending):
    return sum(os.path.getsize(os.path.join(At, File))
               for At, _, Files in os.walk(Folder) for File in Files if File.endswith(Ending))


def facts(Session):
    with open(os.path.join(Session, "session.json")) as File:
        return json.load(File)


def clean(Folder):
    subprocess.run(["ninja", "-C", Folder, "-t", "clean"], check=True, stdout=subprocess.DEVNULL)


def spread(Values):
    return "%.1f (%.1f..%.1f)" % (statistics.median(Values), min(Values), max(Values))


def ratio(Values, Base):
    """Of each round, so that what slows both down does not count."""
    Ratios = [V / B for V, B in zip(Values, Base)]
    return "%.3f (%.3f..%.3f)" % (statistics.median(Ratios), min(Ratios), max(Ratios))


def overhead(Name, Opts, Scratch):
    Targets = BUILDS[Name][2]
    Folders = {V: os.path.join(Scratch, Name, V) for V in ("plain", "time-trace", "granularity-0")}
    configure(Name, Folders["plain"], Opts.clang)
    configure(Name, Folders["time-trace"], Opts.clang, ["-DCMAKE_CXX_FLAGS=-ftime-trace"])
    configure(Name, Folders["granularity-0"], Opts.clang,
              ["-DCMAKE_CXX_FLAGS=-ftime-trace -ftime-trace-granularity=0"])
    Sessions = {V: os.path.join(Scratch, Name, V) for V in ("record", "record --compact")}
    Traces = os.path.join(Scratch, Name, "traces")
    Override = subprocess.run([Opts.tool, "--print-override"], check=True, capture_output=True, text=True).stdout.strip()
    Order = ["plain", "plugin", *Sessions, "time-trace", "granularity-0"]
    Samples = {V: [] for V in Order}
    Own = {V: [] for V in Sessions}
    for Round in range(Opts.rounds):
        for At in range(len(Order)):
            Variant = Order[(At + Round) % len(Order)]
            Folder = Folders.get(Variant, Folders["plain"])
            clean(Folder)
            Command, Variables = ["ninja", "-C", Folder, *Targets], {}
            if Variant == "plugin":
                shutil.rmtree(Traces, ignore_errors=True)
                os.makedirs(Traces)
                Variables = {"CCC_OVERRIDE_OPTIONS": Override, "INSTANTRACE_OUTPUT": Traces + "/"}
            if Variant in Sessions:
                shutil.rmtree(Sessions[Variant], ignore_errors=True)
                Command = [Opts.tool, *Variant.split(), "-q", "-o", Sessions[Variant], "--", *Command]
            Samples[Variant].append(measured(Command, **Variables))
            if Variant in Sessions:
                Facts = facts(Sessions[Variant])
                Build = (Facts["user_ns"] + Facts["system_ns"]) / 1e9
                Own[Variant].append(100 * (Samples[Variant][-1][0] - Build) / Build)
    Compiles = len(facts(Sessions["record"])["units"])
    Cpu = {V: [S[0] for S in Samples[V]] for V in Order}
    Wall = {V: [S[1] for S in Samples[V]] for V in Order}
    Sizes = {"plain": 0, "plugin": bytes_of(Traces, ".itrace"), "record": bytes_of(Sessions["record"], ".itrace"),
             "record --compact": bytes_of(Sessions["record --compact"], ".itrace.zst"),
             "time-trace": bytes_of(Folders["time-trace"], ".json") - bytes_of(Folders["plain"], ".json"),
             "granularity-0": bytes_of(Folders["granularity-0"], ".json") - bytes_of(Folders["plain"], ".json")}
    for Variant in Order:
        print("| %s, %d units | %s | %s | %s | %s | %s | %.1f |"
              % (Name, Compiles, Variant, spread(Cpu[Variant]), ratio(Cpu[Variant], Cpu["plain"]),
                 ratio(Wall[Variant], Wall["plain"]),
                 "%.2f %% (%.2f..%.2f)" % (statistics.median(Own[Variant]), min(Own[Variant]), max(Own[Variant]))
                 if Variant in Own else "", Sizes[Variant] / 1e6), flush=True)


def precompile(Name, Opts, Scratch):
    Targets = BUILDS[Name][2]
    Plain, Advised = (os.path.join(Scratch, Name, V) for V in ("plain", "advised"))
    Session = os.path.join(Scratch, Name, "advice")
    configure(Name, Plain, Opts.clang)
    clean(Plain)
    shutil.rmtree(Session, ignore_errors=True)
    measured([Opts.tool, "record", "-q", "-o", Session, "--", "ninja", "-C", Plain, *Targets])
    Out = subprocess.run([Opts.tool, "advise", "--json", "-n", "0", "--only=precompile", Session],
                         check=True, capture_output=True).stdout
    Report = json.loads(Out)
    Rows = [R for R in Report["rows"] if R["snippet"].startswith("target_")]
    if not Rows:
        print("| %s | no suggestion | | | | | |" % Name, flush=True)
        return
    Rule = os.path.join(Scratch, Name, "advised.cmake")
    with open(Rule, "w") as File:
        # When the whole project has been read, its targets are there.
        for Row in Rows:
            File.write("cmake_language(EVAL CODE [==[cmake_language(DEFER CALL cmake_language EVAL CODE [=[%s]=])]==])\n"
                       % Row["snippet"])
    configure(Name, Advised, Opts.clang, ["-DCMAKE_PROJECT_INCLUDE=" + Rule])
    Samples = {Plain: [], Advised: []}
    for Round in range(Opts.rounds):
        for Folder in ([Plain, Advised] if Round % 2 == 0 else [Advised, Plain]):
            clean(Folder)
            Samples[Folder].append(measured(["ninja", "-C", Folder, *Targets])[0])
    Saved = [1 - A / P for P, A in zip(Samples[Plain], Samples[Advised])]
    Shares = [sum(R[K] for R in Rows) / Report["total_ns"] for K in ("saving_ns", "least_ns", "most_ns")]
    Headers = sum(R["snippet"].count("\n") for R in Rows)
    print("| %s | %s | %d | %s | %s | %.1f %% (%.1f..%.1f) | %.1f %% (%.1f..%.1f) |"
          % (Name, ", ".join(R["name"].replace("system headers of target ", "") for R in Rows), Headers,
             spread(Samples[Plain]), spread(Samples[Advised]), *[100 * S for S in Shares],
             100 * statistics.median(Saved), 100 * min(Saved), 100 * max(Saved)), flush=True)


def main():
    Parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0].replace("\n", " "))
    Parser.add_argument("--clang", default="clang++-%d" % MAJORS[-1])
    Parser.add_argument("--rounds", type=int, default=3)
    Parser.add_argument("--only", default="", help="builds whose name has this in it")
    Parser.add_argument("--tool", default=TOOL)
    Parser.add_argument("--part", choices=["overhead", "precompile"], help="both by default")
    Opts = Parser.parse_args()
    print("%s, %d rounds, %s, %d processors, load %s\n"
          % (Opts.clang, Opts.rounds, datetime.date.today(), os.cpu_count(),
             " ".join("%.1f" % L for L in os.getloadavg())))
    Names = [Name for Name in BUILDS if Opts.only in Name]
    with tempfile.TemporaryDirectory(prefix="instantrace-record-") as Scratch:
        if Opts.part != "precompile":
            print("| build | variant | CPU, s | CPU over plain | wall over plain | record itself | MB written |")
            print("|---|---|---:|---:|---:|---:|---:|", flush=True)
            for Name in Names:
                overhead(Name, Opts, Scratch)
            print()
        if Opts.part != "overhead":
            print("| build | targets | headers | CPU before, s | after, s | estimate (least..most) | measured |")
            print("|---|---|---:|---:|---:|---:|---:|", flush=True)
            for Name in Names:
                precompile(Name, Opts, Scratch)


if __name__ == "__main__":
    main()
