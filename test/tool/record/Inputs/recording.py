"""What the tests of `record` share: sources, builds, sessions."""

import errno
import glob
import json
import os
import subprocess
import sys
import time

UNIT = """#include <memory>
#include <string>
template <class T, int N> struct Box%(i)d { T Value[N]; };
template <int N> int sum() { if constexpr (N == 0) return 0; else return N + sum<N - 1>(); }
std::unique_ptr<std::string> make%(i)d() {
  return std::make_unique<std::string>(sum<%(i)d>(), Box%(i)d<char, 3>{}.Value[0]);
}
"""


def check(Condition, *What):
    if not Condition:
        sys.exit("FAILED: " + " ".join(str(W) for W in What) + " at line %d" % sys._getframe(1).f_lineno)


def write(Path, Text):
    os.makedirs(os.path.dirname(Path) or ".", exist_ok=True)
    with open(Path, "w") as File:
        File.write(Text)


def open_when_read(Path, Seconds=120):
    """The end of a FIFO to write to, when somebody has opened the other one."""
    End = time.monotonic() + Seconds
    while True:
        try:
            Fifo = os.open(Path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as E:
            check(E.errno == errno.ENXIO and time.monotonic() < End, Path, "nobody reads it")
            time.sleep(0.01)
            continue
        os.set_blocking(Fifo, True)
        return Fifo


def units(Count, Folder="."):
    Names = []
    for I in range(Count):
        Names.append("unit%d.cpp" % I)
        write(os.path.join(Folder, Names[-1]), UNIT % {"i": I})
    return Names


def run(*Command, **Options):
    return subprocess.run(Command, capture_output=True, text=True, **Options)


def record(Session, *Command, options=(), **Options):
    """Runs a build and returns its result; the session is read by session()."""
    return run("instantrace", "record", "-o", Session, *options, "--", *Command, **Options)


def session(Folder):
    with open(os.path.join(Folder, "session.json")) as File:
        return json.load(File)


def traces(Folder):
    return sorted(glob.glob(os.path.join(Folder, "*.itrace")))


def verify(Folder):
    Result = run("instantrace", "verify", Folder)
    check(Result.returncode == 0, Result.stdout, Result.stderr)


def contents(Pattern):
    Found = {}
    for Path in sorted(glob.glob(Pattern, recursive=True)):
        with open(Path, "rb") as File:
            Found[os.path.basename(Path)] = File.read()
    return Found


def clangs(Prefix):
    """{major: clang++} of all that the tool has a module for."""
    Line = run("instantrace", "--version").stdout.splitlines()[2]
    Majors = Line.replace("clang ", "").split(", ")
    return {Major: "%s%s/bin/clang++" % (Prefix, Major) for Major in Majors}


def check_units(Session, Sources):
    """Each source has one trace, and nothing else is in the folder."""
    Facts = session(Session)
    Named = sorted(os.path.basename(Unit["source"]) for Unit in Facts["units"])
    check(Named == sorted(Sources), "units", Named, "expected", sorted(Sources))
    check(all(Unit["complete"] for Unit in Facts["units"]), Facts["units"])
    Files = sorted(os.listdir(Session))
    Expected = sorted([os.path.basename(T) for T in traces(Session)] + ["session.json"])
    check(Files == Expected, "left in the folder", Files)
    check(len(traces(Session)) == len(Sources), traces(Session))
    verify(Session)
    return Facts


def build_by_make(Clang, Sources, Name, Launcher, *Options):
    """Into a folder of its own, o-NAME: what record says, and the session NAME."""
    os.makedirs("o-" + Name)
    write("Makefile", "all: %s\no-%s/%%.o: %%.cpp\n\t%s %s -c $< -o $@\n" % (
        " ".join("o-%s/%s" % (Name, S.replace(".cpp", ".o")) for S in Sources), Name, Launcher, Clang))
    Result = record(Name, "make", "-j2", options=Options)
    check(Result.returncode == 0, Name, Result.stderr)
    return Result.stderr, session(Name)
