#!/usr/bin/env python3
"""What a store costs: bytes and rows of a unit, adding, and each question.

usage: store.py [--units N] [--clang CLANG] [--tool PATH] [--folder DIR]

Records real builds of eight units of the standard library, in three states that
instantiate more from one to the next. A replay is one of these sessions under
another commit, an hour later, until there are so many units: its traces are links
to the recorded ones, so reading them is measured, compiling them is not. Drift: the
first third of the builds is of the first state, and so on.

Prints Markdown. Times are of the wall clock, each question asked three times, the
median of these; they are of whole processes.
"""

import argparse
import hashlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEADERS = ["map", "regex", "unordered_map", "functional", "algorithm", "memory", "variant", "ranges"]
UNIT = """#include <%(header)s>
#include <map>
#include <string>
#include <vector>
template <int I> int sum(std::map<int, std::string> &M) {
  M[I] = std::string(I, 'x');
  if constexpr (I == 0) return 0; else return I + sum<I - 1>(M);
}
int unit%(i)d() {
  std::map<int, std::string> M;
  std::vector<std::string> V(3);
  return sum<N * %(i)d>(M) + int(V.size());
}
"""
QUESTIONS = {
    "hottest": [], "hottest --by=header": [], "hottest --by=specialization": [], "slowest": [], "duplicates": [],
    "machines": [], "blame": [], "trend": ["--name=sum<$>"], "budget": ["--budget=count <= 1"], "regression": [],
    "regression --metric=time": [],
}


def run(*Command, **Options):
    Done = subprocess.run(Command, capture_output=True, text=True, **Options)
    if Done.returncode != 0:
        sys.exit("%s: found exit code %d, expected 0\n%s" % (" ".join(Command), Done.returncode, Done.stderr))
    return Done.stdout


def recorded(Tool, Clang, Folder):
    """The sessions of three states."""
    os.makedirs(Folder)
    Names = []
    for I, Header in enumerate(HEADERS):
        Names.append("unit%d.cpp" % I)
        with open(os.path.join(Folder, Names[-1]), "w") as File:
            File.write(UNIT % {"header": Header, "i": I})
    Sessions = []
    for State in (4, 5, 6):
        with open(os.path.join(Folder, "build.sh"), "w") as File:
            File.write("set -e\n" + "".join("%s -std=c++20 -DN=%d -c %s\n" % (Clang, State, N) for N in Names))
        Sessions.append(os.path.join(Folder, "state%d" % State))
        run(Tool, "record", "-q", "-o", Sessions[-1], "--", "sh", "build.sh", cwd=Folder)
    return Sessions


def replay(Session, Into, Number):
    """The session as one of another commit."""
    os.makedirs(Into)
    with open(os.path.join(Session, "session.json")) as File:
        Facts = json.load(File)
    Facts["begun_realtime_ns"] += Number * 3600 * 10**9
    Facts["git"] = {"commit": hashlib.sha1(b"%d" % Number).hexdigest(), "branch": "main",
                    "author": "author %d" % (Number % 7), "root": Facts["working_directory"], "modified": False}
    with open(os.path.join(Into, "session.json"), "w") as File:
        json.dump(Facts, File)
    for Unit in Facts["units"]:
        os.link(os.path.join(Session, Unit["trace"]), os.path.join(Into, Unit["trace"]))
    return Into


def main():
    Parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    Parser.add_argument("--units", type=int, default=1000)
    Parser.add_argument("--clang", default="clang++-22")
    Parser.add_argument("--tool", default=os.path.join(ROOT, "build", "bin", "instantrace"))
    Parser.add_argument("--folder", help="where to work (default: one of its own, which is removed)")
    Options = Parser.parse_args()
    Folder = Options.folder or tempfile.mkdtemp(prefix="instantrace-store-")
    try:
        measure(Options, os.path.abspath(Folder))
    finally:
        if not Options.folder:
            shutil.rmtree(Folder)


def measure(Options, Folder):
    Tool, File = Options.tool, os.path.join(Folder, "store.db")
    Sessions = recorded(Tool, Options.clang, os.path.join(Folder, "source"))
    Traces = [os.path.join(S, N) for S in Sessions for N in os.listdir(S) if N.endswith(".itrace")]
    Builds = Options.units // len(HEADERS)
    Replays = [replay(Sessions[I * len(Sessions) // Builds], os.path.join(Folder, "replays", str(I)), I)
               for I in range(Builds)]
    Began, Load = time.monotonic(), os.getloadavg()[0]
    for I in range(0, Builds, 100):
        run(Tool, "store", "add", "--to=" + File, *Replays[I : I + 100])
    Added = time.monotonic() - Began
    Again = time.monotonic()
    run(Tool, "store", "add", "--to=" + File, *Replays[:100])
    Again = time.monotonic() - Again
    count = lambda Table: int(run(Tool, "store", "sql", "--to=" + File, "--csv", "SELECT count(*) FROM " + Table).split()[1])
    Units = count("compiles")
    Bytes = sum(os.path.getsize(File + End) for End in ("", "-wal") if os.path.exists(File + End))
    print("| units | builds | rows of costs per unit | of specializations and sums per unit | names | bytes per unit "
          "| of its trace | units added per s | added again, per s | load |\n" + "|---:" * 10 + "|")
    print("| %d | %d | %d | %d | %d | %d | %d | %.1f | %.0f | %.1f |"
          % (Units, Builds, count("costs") / Units, count("build_costs") / Units, count("names"), Bytes / Units,
             sum(map(os.path.getsize, Traces)) / len(Traces), Units / Added, min(Builds, 100) * len(HEADERS) / Again, Load))
    print("\n| question | s |\n|---|---:|")
    for Question, More in QUESTIONS.items():
        Seconds = []
        for _ in range(3):
            Began = time.monotonic()
            run(Tool, "store", "ask", "--to=" + File, "--json", *Question.split(), *More)
            Seconds.append(time.monotonic() - Began)
        print("| `%s` | %.2f |" % (" ".join([Question, *More]), statistics.median(Seconds)), flush=True)
    run(Tool, "store", "check", "--to=" + File)


if __name__ == "__main__":
    main()
