#!/usr/bin/env python3
"""200 compiles at once, half of them killed: what is left of their traces.

usage: load.py [--compiles N] [--jobs N] [--clang N]... [--collector MODE]...
           [--files A,B] [--seed N] [--build DIR] [--corpus DIR]

Compiles files of the corpus, short and long ones mixed, N at a time (32) into one
folder, with the plugin, once without and once with a collector. SIGKILL ends half of
them at a random event. Then:
  - the trace of each that ended has the events of an undisturbed compile, all of them;
  - the trace of each that was killed (made by `recover FOLDER`, or by the collector)
    verifies, is a begin of that, and at most the event being written is missing;
  - no other file and no process stays behind, and no compile said a word. (What Clang
    itself leaves of a killed compile is its own; an empty partial trace, of a kill
    between making it and writing to it, is counted: `recover` removes no empty file,
    which anybody may have made, and the next compile of that output replaces it.)
A check that fails ends the run. The table has the collector's memory at its peak.
"""

import argparse
import collections
import concurrent.futures
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

from run import ENDS, ROOT

INPUTS = os.path.join(ROOT, "test", "plugin", "killed", "Inputs")
sys.path.insert(0, INPUTS)

from interrupted import Fault, Undisturbed, check, event_lines, hidden, source_options, tool  # noqa: E402
from kill_timer import kill_timer  # noqa: E402

# Names of the corpus, and paths in this project.
FILES = ",".join(
    ["constexpr_regex", "lambda_nest", "test/plugin/harmless/standard-library.cpp"]
    + ["test/plugin/oracle/member-templates.cpp", "test/plugin/recording/names-of-long-packs.cpp"]
)
EVENT_NS = 3_000_000


def parse_arguments():
    P = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    P.add_argument("--build", default=os.path.join(ROOT, "build"))
    P.add_argument("--corpus", default=os.path.join(os.path.dirname(ROOT), "shared", "corpus"))
    P.add_argument("--llvm-prefix", default="/usr/lib/llvm-")
    P.add_argument("--files", default=FILES)
    P.add_argument("--clang", type=int, action="append", help="may be repeated (the oldest and the newest)")
    P.add_argument("--collector", choices=("without", "with"), action="append", help="may be repeated (both)")
    P.add_argument("--compiles", type=int, default=200)
    P.add_argument("--jobs", type=int, default=32)
    P.add_argument("--seed", type=int, default=1)
    return P.parse_args()


class Compile:
    """One, into the folder that it shares with all others."""

    def __init__(self, Load, Number):
        self.Load, self.Name = Load, "unit-%d" % Number
        self.Source = Load.Sources[Number % len(Load.Sources)]
        self.KillEvent, self.DelayNs = None, 0
        self.Counter = os.path.join(Load.Scratch, self.Name + ".counter")

    def kill_at(self, Event, DelayNs):
        self.KillEvent, self.DelayNs = Event, DelayNs

    def run(self):
        Timer = kill_timer(self.Load.Preload, self.Counter, self.KillEvent, self.DelayNs)
        Environment = dict(os.environ, **Timer)
        Options = ["-fplugin-arg-instantrace-collector=" + self.Load.Socket] if self.Load.Socket else []
        Result = subprocess.run(
            [self.Load.Clang, "-fplugin=" + self.Load.Plugin, "-w", "-c"]
            + Options
            + source_options(self.Source)
            + ["-o", self.Name + ".o", self.Source],
            cwd=self.Load.Folder,
            env=Environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        check(Result.returncode in (0, -signal.SIGKILL), "%s: exit %d" % (self.Name, Result.returncode))
        check(not Result.stdout, "%s said %r" % (self.Name, Result.stdout))
        self.WasKilled = Result.returncode != 0
        check(not self.WasKilled or self.KillEvent is not None, "%s was killed by somebody else" % self.Name)
        return self

    def events_begun(self):
        with open(self.Counter, "rb") as File:
            return max(0, struct.unpack("<Q", File.read())[0] - 1)

    def trace(self):
        return os.path.join(self.Load.Folder, self.Name + ".itrace")


class Collector:
    """A real one; its peak of memory is read before it ends."""

    def __init__(self, Load):
        self.Lines = []
        self.Process = subprocess.Popen(
            ["instantrace", "collect", Load.Socket], cwd=Load.Folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        Deadline = time.monotonic() + 60
        while not os.path.exists(Load.Socket):
            check(time.monotonic() < Deadline and self.Process.poll() is None, "the collector does not start")
            time.sleep(0.01)
        threading.Thread(target=lambda: self.Lines.extend(self.Process.stdout), daemon=True).start()

    def end(self):
        """Its peak in KiB. It has finished what it was to finish."""
        with open("/proc/%d/status" % self.Process.pid) as File:
            Peak = int(re.search(r"VmHWM:\s+(\d+)", File.read()).group(1))
        self.Process.terminate()
        check(self.Process.wait(60) in (0, -signal.SIGTERM), "the collector ended with %d" % self.Process.returncode)
        return Peak


class Load:
    def __init__(self, Options, Major, HasCollector, Scratch, Preload):
        self.Options, self.Scratch, self.Preload = Options, Scratch, Preload
        self.Clang = Options.llvm_prefix + "%d/bin/clang++" % Major
        self.Plugin = os.path.join(Options.build, "lib", "instantrace", "libinstantrace.so")
        self.Folder = os.path.join(Scratch, "out")
        self.Sources = [
            os.path.join(ROOT, Name) if "/" in Name else os.path.join(Options.corpus, Name + ".cpp")
            for Name in Options.files.split(",")
        ]
        self.Socket = None
        self.References = {}
        for Number in range(len(self.Sources)):
            os.makedirs(self.Folder)
            C = Compile(self, Number).run()
            self.References[C.Source] = Undisturbed(C.trace())
            shutil.rmtree(self.Folder)
        os.makedirs(self.Folder)
        if HasCollector:
            self.Socket = os.path.join(Scratch, "socket")

    def run(self):
        """The row's figures, after every check."""
        Rng = random.Random(self.Options.seed)
        Compiles = [Compile(self, Number) for Number in range(self.Options.compiles)]
        for C in Rng.sample(Compiles, len(Compiles) // 2):
            C.kill_at(Rng.randrange(1, len(self.References[C.Source].Lines)), Rng.randrange(EVENT_NS))
        Drains = Collector(self) if self.Socket else None
        Begin = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(self.Options.jobs) as Pool:
            list(Pool.map(Compile.run, Compiles))
        Seconds = time.monotonic() - Begin
        Peak = Drains.end() if Drains else 0
        Left = [Name for Name in hidden(self.Folder) if self.size(Name)]
        check(not (Drains and Left), "beside a collector stays %s" % Left)
        if Left:
            tool("recover", "--remove", self.Folder)
        return [Seconds, Peak] + self.check_all(Compiles)

    def check_all(self, Compiles):
        Counts = collections.Counter()
        Expected = set()
        for C in Compiles:
            Reference = self.References[C.Source]
            if not C.WasKilled:
                Expected.update([C.Name + ".o", C.Name + ".itrace"])
                check(event_lines(C.trace()) == Reference.Lines, "%s ended, and has other events" % C.Name)
                Verdict = tool("verify", C.trace())
                check("incomplete" not in Verdict, "%s ended, but %s" % (C.Name, Verdict))
                Counts["ended"] += 1
                continue
            Counts["killed"] += 1
            Begun = C.events_begun()
            Expected.add(C.Name + ".itrace")
            check(os.path.exists(C.trace()), "%s began %d events and left no trace" % (C.Name, Begun))
            tool("verify", C.trace())
            Events, Unnamed, Short, _ = Reference.check_prefix(C.trace())
            check(0 <= Begun - Events <= 1, "%s: %d events begun, %d in the trace" % (C.Name, Begun, Events))
            Counts["lost"] = max(Counts["lost"], Begun - Events)
            Counts["unnamed"] = max(Counts["unnamed"], Unnamed)
            Counts["short"] = max(Counts["short"], Short)
        # What a killed compiler itself leaves: the object that it had begun.
        Others = [Name for Name in os.listdir(self.Folder) if Name not in Expected]
        Begun = re.compile(r"unit-\d+(\.o|-[0-9a-f]+\.o\.tmp|\.o\.tmp.*)$")
        Empty = [Name for Name in Others if Name.endswith(".partial") and not self.size(Name)]
        Others = [Name for Name in Others if not Begun.match(Name) and Name not in Empty]
        check(not Others, "besides traces there is %s" % Others)
        check(not self.processes(), "still running: %s" % self.processes())
        return [Counts["ended"], Counts["killed"], Counts["lost"], Counts["short"], Counts["unnamed"], len(Empty)]

    def size(self, Name):
        return os.path.getsize(os.path.join(self.Folder, Name))

    def processes(self):
        """Whoever works in the folder."""
        Found = []
        for Pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.readlink("/proc/%s/cwd" % Pid).startswith(self.Folder):
                    Found.append(Pid)
            except OSError:
                pass
        return Found


def main():
    Options = parse_arguments()
    os.environ["PATH"] = os.path.join(Options.build, "bin") + ":" + os.environ["PATH"]
    print("%d compiles, %d at a time, seed %d" % (Options.compiles, Options.jobs, Options.seed))
    print("| Clang | collector | seconds | ended, complete | killed, recovered | events lost, each at most | short names, each at most | unnamed, each at most | empty partial traces | collector's peak MiB |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as Scratch:
        Preload = os.path.join(Scratch, "kill-timer.so")
        Timer = os.path.join(INPUTS, "kill-timer.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", Timer, "-o", Preload, "-ldl"], check=True)
        for Major in Options.clang or ENDS:
            for Mode in Options.collector or ("without", "with"):
                Own = os.path.join(Scratch, "%d-%s" % (Major, Mode))
                os.makedirs(Own)
                Seconds, Peak, Ended, Killed, Lost, Short, Unnamed, Empty = Load(Options, Major, Mode == "with", Own, Preload).run()
                print(
                    "| %d | %s | %.0f | %d | %d | %d | %d | %d | %d | %s |"
                    % (Major, Mode, Seconds, Ended, Killed, Lost, Short, Unnamed, Empty, "%.1f" % (Peak / 1024) if Peak else "-"),
                    flush=True,
                )
                shutil.rmtree(Own)


try:
    main()
except Fault as Reason:
    sys.exit("FAULT: %s" % Reason)
