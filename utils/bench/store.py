#!/usr/bin/env python3
"""What a store costs: bytes and rows of a unit, adding, and each question.

usage: store.py [--on file|clickhouse] [--units N,N...] [--clang CLANG] [--tool PATH] [--folder DIR]

Records real builds of eight units of the standard library, in three states that
instantiate more from one to the next. A replay is one of these sessions under
another commit, an hour later, until there are as many units as the first N says: its
traces are links to the recorded ones, so reading them is measured, compiling them is
not. Drift: the first third of the builds is of the first state, and so on.

From there on the store grows by SQL: all builds once more, later, under other
commits, with every time longer by a thousandth for each round, until there are as
many units as each further N says. So asking is measured in stores of that size, and
adding is not. LATEST is two days before the latest build.

With --on=clickhouse the server is Debian's clickhouse-server, on loopback, with two
threads for a question, in a folder of its own. Prints Markdown. Times of questions
are of the wall clock, each asked three times, the median of these; they are of whole
processes. Times of adding are of processors. Memory is resident, at its most: of the
tool, and of the server while it answers, which has caches in it.
"""

import argparse
import datetime
import hashlib
import json
import math
import os
import resource
import shutil
import sqlite3
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
    "hottest": [], "hottest --by=header": [], "hottest --by=specialization": [], "hottest --since=LATEST": [], "slowest": [],
    "duplicates": [], "machines": [], "blame": [], "trend": ["--name=sum<$>"], "budget": ["--budget=count <= 1"],
    "regression": [], "regression --metric=time": [],
}
NUMBERS = "count, memoized, self_ns, inclusive_ns, ast_bytes, optimize_ns, generate_ns, object_bytes"


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


class File:
    """A store in a file."""

    def __init__(self, Folder, _):
        self.Place = os.path.join(Folder, "store.db")

    def cpu(self):
        return 0

    def memory(self):
        return 0

    def size(self):
        return sum(os.path.getsize(self.Place + End) for End in ("", "-wal") if os.path.exists(self.Place + End))

    def double(self, Round):
        """Times are numbers of SQL; the factor is a little more than 1."""
        Grown = NUMBERS.replace("self_ns", "self_ns + self_ns * %d / 1000" % Round)
        Db = sqlite3.connect(self.Place)
        Builds, Compiles, Span = Db.execute("SELECT (SELECT max(id) FROM builds), (SELECT max(id) FROM compiles), "
                                            "max(begun_ns) - min(begun_ns) + 3600000000000 FROM builds").fetchone()
        Columns = [C[1] for C in Db.execute("PRAGMA table_info(builds)")]
        Values = {"id": "id + %d" % Builds, "session": "session || '%d'" % Round, "begun_ns": "begun_ns + %d" % Span,
                  "commit_id": "substr(commit_id, 2) || '%x'" % (Round % 16)}
        Db.execute("INSERT INTO builds SELECT %s FROM builds" % ", ".join(Values.get(C, C) for C in Columns))
        Db.execute("INSERT INTO costs SELECT compile + %d, kind, name, %s FROM costs" % (Compiles, Grown))
        Db.execute("INSERT INTO build_costs SELECT build + %d, kind, name, units, %s FROM build_costs" % (Builds, Grown))
        Db.execute("INSERT INTO compiles SELECT id + %d, build + %d, unit, trace, complete, wall_ns, count, memoized, "
                   "self_ns + self_ns * %d / 1000, ast_bytes, object_bytes, peak_rss_bytes FROM compiles" % (Compiles, Builds, Round))
        Db.commit()
        Db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        Db.close()

    def settle(self):
        pass

    def end(self):
        pass


class ClickHouse:
    """A store on a server of our own."""

    def __init__(self, Folder, Tool):
        self.Tool = Tool
        sys.path[:0] = [os.path.join(ROOT, "test", "tool", "store", "Inputs")]
        import clickhouse

        self.Server = clickhouse.Server(os.path.join(Folder, "server"))
        self.Place = self.Server.Url

    def ask(self, Sql):
        return self.Server.post(Sql, "builds")

    def cpu(self):
        """Seconds of the server until now."""
        with open("/proc/%d/stat" % self.Server.Process.pid) as Stat:
            Fields = Stat.read().rsplit(")", 1)[1].split()
        return (int(Fields[11]) + int(Fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        """MB of the server at most since this was asked last."""
        Folder = "/proc/%d/" % self.Server.Process.pid
        with open(Folder + "status") as Status:
            Most = [L for L in Status if L.startswith("VmHWM")][0]
        with open(Folder + "clear_refs", "w") as Reset:
            Reset.write("5")
        return int(Most.split()[1]) * 1024 / 1e6

    def size(self):
        return int(self.ask("SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'builds'"))

    def double(self, Round):
        Grown = NUMBERS.replace("self_ns", "self_ns + intDiv(self_ns * %d, 1000)" % Round)
        Span, Last = self.ask("SELECT max(begun_ns) - min(begun_ns) + 3600000000000, max(id) FROM builds").split()
        Key = "sipHash64(build_key, %d)" % Round
        Columns = ("content, commit_id, branch, author, modified, state, exit_code, command, clang, host, machine, system, "
                   "wall_ns, user_ns, system_ns, units, missing, added_ns")
        # Rows are of the month of their build.
        Begun = "toDate(toDateTime(intDiv(begun_ns + %s, 1000000000)))" % Span
        self.ask("CREATE TABLE later (build_key UInt64, day Date) ENGINE = Memory")
        self.ask("INSERT INTO later SELECT build_key, %s FROM builds" % Begun)
        for Table, Values in (
            ("costs", "kind, name, compile, " + Grown), ("build_costs", "kind, name, units, " + Grown),
            ("compiles", "compile, unit, trace, complete, wall_ns, count, memoized, self_ns + intDiv(self_ns * %d, 1000), "
             "ast_bytes, object_bytes, peak_rss_bytes" % Round)):
            self.ask("INSERT INTO %s SELECT %s, day, %s FROM %s ALL INNER JOIN later USING build_key" % (Table, Key, Values, Table))
        self.ask("INSERT INTO build_versions (session, version, removed, id, build_key, begun, begun_ns, %s) SELECT concat(session, "
                 "'%d'), 1, 0, id + %s, %s, %s, begun_ns + %s, %s FROM builds" % (Columns, Round, Last, Key, Begun, Span, Columns))
        self.ask("DROP TABLE later")

    def settle(self):
        """Parts are merged, as those of older builds are."""
        for Table in "costs", "build_costs", "compiles", "build_versions", "names":
            self.ask("OPTIMIZE TABLE " + Table)

    def end(self):
        self.Server.end()


def main():
    Parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    Parser.add_argument("--on", choices=["file", "clickhouse"], default="file")
    Parser.add_argument("--units", default="1000", help="sizes, in order (default: 1000)")
    Parser.add_argument("--clang", default="clang++-22")
    Parser.add_argument("--tool", default=os.path.join(ROOT, "build", "bin", "instantrace"))
    Parser.add_argument("--folder", help="where to work; one with a store goes on from it, and adds nothing "
                        "(default: one of its own, which is removed)")
    Options = Parser.parse_args()
    Folder = os.path.abspath(Options.folder or tempfile.mkdtemp(prefix="instantrace-store-"))
    Options.tool = os.path.abspath(Options.tool)
    os.environ["PATH"] = os.path.dirname(Options.tool) + ":" + os.environ["PATH"]
    os.makedirs(Folder, exist_ok=True)
    Store = (ClickHouse if Options.on == "clickhouse" else File)(Folder, Options.tool)
    try:
        measure(Options, Folder, Store)
    finally:
        Store.end()
        if not Options.folder:
            shutil.rmtree(Folder)


def processor_seconds():
    Children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Children.ru_utime + Children.ru_stime


def two_days_before(Options, Store):
    """Of the latest build, as a day: builds are later than now."""
    Said = run(Options.tool, "store", "sql", "--to=" + Store.Place, "--csv", "SELECT max(begun_ns) AS n FROM builds")
    return datetime.datetime.fromtimestamp(int(Said.split()[1]) / 1e9 - 2 * 86400, datetime.timezone.utc).strftime("%Y-%m-%d")


def asked(Options, Store, Question, More):
    """Seconds, MB of the tool, MB of the server."""
    if "LATEST" in Question:
        Question = Question.replace("LATEST", two_days_before(Options, Store))
    Seconds, Tool = [], 0
    Store.memory()
    for _ in range(3):
        Began = time.monotonic()
        Tool = max(Tool, peak(Options.tool, "store", "ask", "--to=" + Store.Place, "--json", *Question.split(), *More))
        Seconds.append(time.monotonic() - Began)
    return statistics.median(Seconds), Tool, Store.memory()


def peak(*Command):
    """Runs it; MB that it had at most."""
    with open(os.devnull, "w") as Nothing, tempfile.TemporaryFile() as Said:
        Child = subprocess.Popen(Command, stdout=Nothing, stderr=Said)
        _, Status, Used = os.wait4(Child.pid, 0)
        Child.returncode = os.waitstatus_to_exitcode(Status)
        Said.seek(0)
        if Child.returncode != 0:
            sys.exit("%s: found exit code %d, expected 0\n%s" % (" ".join(Command), Child.returncode, Said.read().decode()))
    return Used.ru_maxrss * 1024 / 1e6


def add(Options, Folder, Store, Units):
    Tool = Options.tool
    Sessions = recorded(Tool, Options.clang, os.path.join(Folder, "source"))
    Traces = [os.path.join(S, N) for S in Sessions for N in os.listdir(S) if N.endswith(".itrace")]
    Builds = Units // len(HEADERS)
    Replays = [replay(Sessions[I * len(Sessions) // Builds], os.path.join(Folder, "replays", str(I)), I)
               for I in range(Builds)]
    Tooled, Served, Began, Load = processor_seconds(), Store.cpu(), time.monotonic(), os.getloadavg()[0]
    Store.memory()
    Most = max(peak(Tool, "store", "add", "--to=" + Store.Place, *Replays[I : I + 100]) for I in range(0, Builds, 100))
    Server = Store.memory()
    Tooled, Served, Wall = processor_seconds() - Tooled, Store.cpu() - Served, time.monotonic() - Began
    Again = processor_seconds()
    run(Tool, "store", "add", "--to=" + Store.Place, *Replays[:100])
    Again = processor_seconds() - Again
    Added = Builds * len(HEADERS)
    print("Adding %d units: %.1f per s of a processor of the tool%s, %.1f per s; again: %.0f per s of a processor; load %.1f; "
          "a trace has %d bytes; %.0f MB of the tool at most%s.\n" % (Added, Added / Tooled, ", %.1f of the server's" % (Added / Served) if Served else "",
                                       Added / Wall, min(Builds, 100) * len(HEADERS) / Again, Load,
                                       sum(map(os.path.getsize, Traces)) / len(Traces), Most,
                                       ", %.0f of the server" % Server if Server else ""))
    # Now, since what grows by SQL has no uploads.
    run(Tool, "store", "check", "--to=" + Store.Place)


def measure(Options, Folder, Store):
    Tool = Options.tool
    Sizes = [int(N) for N in Options.units.split(",")]
    if not os.path.exists(os.path.join(Folder, "source")):
        add(Options, Folder, Store, Sizes[0])
    count = lambda Table: int(run(Tool, "store", "sql", "--to=" + Store.Place, "--csv", "SELECT count(*) AS n FROM " + Table).split()[1])
    Rows, Latencies, Round = [], {Q: [] for Q in QUESTIONS}, int(math.log2(count("compiles") / 1000 + 1))
    for Size in Sizes:
        while count("compiles") < Size * 0.99:
            Round += 1
            Store.double(Round)
        Store.settle()
        Units = count("compiles")
        Bytes = Store.size()
        Rows.append([Units, count("builds"), count("costs") / Units, count("build_costs") / Units, count("names"), Bytes, Bytes / Units])
        for Question, More in QUESTIONS.items():
            Latencies[Question].append(asked(Options, Store, Question, More))
    print("| units | builds | rows of costs per unit | of sums per unit | names | bytes | bytes per unit |\n" + "|---:" * 7 + "|")
    for Row in Rows:
        print("| %d | %d | %.0f | %.0f | %d | %d | %.0f |" % tuple(Row))
    print("\n| question | " + " | ".join("s at %d" % R[0] for R in Rows) + " | grows as units to the | MB of the tool |" +
          (" of the server |" if Store.cpu() else "") + "\n|---|" + "---:|" * (len(Rows) + (3 if Store.cpu() else 2)))
    for Question, More in QUESTIONS.items():
        S = [Each[0] for Each in Latencies[Question]]
        Power = "%.2f" % (math.log(S[-1] / S[-2]) / math.log(Rows[-1][0] / Rows[-2][0])) if len(S) > 1 else ""
        Memory = " | ".join("%.0f" % M for M in Latencies[Question][-1][1:] if M)
        print("| `%s` | %s | %s | %s |" % (" ".join([Question, *More]), " | ".join("%.2f" % T for T in S), Power, Memory))


if __name__ == "__main__":
    main()
