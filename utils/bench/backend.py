#!/usr/bin/env python3
"""Compares what traces say of LLVM's work with -ftime-trace, and with the object.

usage: backend.py [--files NAMES|all] [--clang MAJOR]... [--level O2] [--rounds N]
                  [--instructions] [--update FILE]

-ftime-trace and the profile are of the same compile, so that both saw the same
work; the functions of machine code come in the same order in both. Coverage is the share
of the interval CodeGeneration that is charged to functions. With --rounds, compiles
without the backend's record and with it are compared, in turn, by the least CPU time;
with --instructions, by callgrind's count of one compile each.

Function sets are ClangBuildAnalyzer's idea: the functions of -ftime-trace whose demangled
names are the same once all template arguments are `$`.
"""

import argparse
import collections
import datetime
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

import callgrind
from run import MAJORS, Unit, cpu, environment

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(ROOT, "build", "bin", "instantrace")
PLUGIN = os.path.join(ROOT, "build", "lib", "instantrace", "libinstantrace.so")
CORPUS = os.path.join(os.path.dirname(ROOT), "shared", "corpus")
FILES = "fmt_compile,nlohmann_json,eigen_dense,boost_spirit_qi,gtest_gmock"
PREFIX = "/usr/lib/llvm-"
BEGIN, END = "<!-- begin: utils/bench/backend.py -->", "<!-- end: utils/bench/backend.py -->"


def query(Trace, Sql):
    Done = subprocess.run([TOOL, "query", "--json", Trace, Sql], capture_output=True, text=True, check=False)
    if Done.returncode != 0:
        sys.exit("%s: %s" % (Sql, Done.stderr))
    return json.loads(Done.stdout)


def command(Clang, Source, Level, Object):
    return [Clang, *Unit(Source).flags, "-" + Level, "-c", Source, "-o", Object]


def with_plugin(Backend):
    return ["-fplugin=" + PLUGIN, "-fplugin-arg-instantrace-backend=" + Backend]


def symbols_of(Object):
    """Bytes of the functions in an object, each place once."""
    Listing = subprocess.run(["nm", "--print-size", Object], capture_output=True, check=True, text=True)
    Sizes = {}
    for Line in Listing.stdout.splitlines():
        Parts = Line.split()
        if len(Parts) == 4 and Parts[2] in "tTwW":
            Sizes[re.sub(r"([CD])1(?=E)", r"\g<1>2", Parts[3])] = int(Parts[1], 16)
    return Sizes


def time_trace(Path):
    """Milliseconds of the optimizer; (linkage name, milliseconds of machine code) by function."""
    with open(Path, encoding="utf-8") as File:
        Events = json.load(File)["traceEvents"]
    Optimizer = sum(E["dur"] for E in Events if E.get("ph") == "X" and E["name"] == "Optimizer") / 1000
    Functions = {}
    Order = []
    for E in sorted((E for E in Events if E.get("ph") == "X" and E["name"] == "OptFunction"),
                    key=lambda E: E["ts"]):
        Name = E["args"]["detail"]
        # Older Clangs have an empty pipeline before: the second visit is the work.
        if Name in Functions:
            Order.remove(Name)
        Order.append(Name)
        Functions[Name] = Functions.get(Name, 0) + E["dur"] / 1000
    return Optimizer, [(Name, Functions[Name]) for Name in Order]


def correlation(A, B):
    return statistics.correlation(A, B) if len(A) == len(B) and len(A) > 2 else float("nan")


def collapsed(Name):
    """As ClangBuildAnalyzer: `std::vector<$>::at(unsigned long)`; operators stay as they are."""
    if "operator" in Name:
        return Name
    Text, Depth = [], 0
    for Letter in Name:
        Depth -= Letter == ">"
        if Depth == 0:
            Text.append(Letter)
        if Letter == "<":
            if Depth == 0:
                Text.append("$")
            Depth += 1
    return "".join(Text)


def demangled(Names):
    Done = subprocess.run(["c++filt"], input="\n".join(Names), capture_output=True, check=True, text=True)
    return Done.stdout.splitlines()


def function_sets(Machine, Ours):
    """How two ways to put the same functions into sets compare, by the time of functions."""
    Theirs = [collapsed(Name) for Name in demangled([Name for Name, _ in Machine])]
    if len(Theirs) != len(Ours):
        return None
    Kinds = [collections.defaultdict(set), collections.defaultdict(set)]
    for Their, Our in zip(Theirs, Ours):
        Kinds[0][Their].add(Our)
        Kinds[1][Our].add(Their)
    Time = collections.Counter()
    for Their, Our, (_, Ms) in zip(Theirs, Ours, Machine):
        IsSplit, IsJoined = len(Kinds[0][Their]) > 1, len(Kinds[1][Our]) > 1
        Time["both" if IsSplit and IsJoined else "split" if IsSplit else "joined" if IsJoined else "same"] += Ms
    Whole = sum(Time.values())
    return {"theirs": len(Kinds[0]), "ours": len(Kinds[1]),
            **{Kind: Time[Kind] / Whole for Kind in ("same", "joined", "split", "both")}}


def measure(Clang, Source, Level):
    with tempfile.TemporaryDirectory(prefix="instantrace-bench-") as Folder:
        Object = os.path.join(Folder, "a.o")
        Traced = [*command(Clang, Source, Level, Object), *with_plugin("on"), "-ftime-trace",
                  "-ftime-trace-granularity=0"]
        subprocess.run(Traced, check=True, cwd=Folder)
        Trace = os.path.join(Folder, "a.itrace")
        Optimizer, Machine = time_trace(os.path.join(Folder, "a.json"))
        Kinds = query(Trace, "SELECT kind, entity IS NULL AS module, count(*) AS count,"
                             " sum(end_ns - begin_ns) / 1e6 AS ms, min(begin_ns) / 1e6 AS first,"
                             " max(end_ns) / 1e6 AS last FROM intervals WHERE kind IN ('CodeGeneration',"
                             " 'OptimizeFunction', 'OptimizeModule', 'MachineCode') GROUP BY 1, 2")
        By = {(K["kind"], bool(K["module"])): K for K in Kinds}
        Made = query(Trace, "SELECT (end_ns - begin_ns) / 1e6 AS ms, coalesce(template, name) AS template"
                            " FROM intervals WHERE kind = 'MachineCode' AND entity IS NOT NULL"
                            " ORDER BY begin_ns")
        Ours = [R["ms"] for R in Made]
        Owners = query(Trace, "SELECT sum((end_ns - begin_ns) / 1e6) AS ms, O.owner = 'name' AS named"
                              " FROM intervals I JOIN (SELECT entity, max(owner) AS owner FROM functions"
                              " GROUP BY entity) O ON I.entity = O.entity"
                              " WHERE I.kind IN ('OptimizeFunction', 'MachineCode') GROUP BY named")
        Functions = query(Trace, "SELECT count(*) AS count, sum(emitted) AS emitted,"
                                 " sum(linkage = 'link-once' AND NOT emitted) AS dropped,"
                                 " sum(linkage = 'link-once') AS once,"
                                 " sum(object_bytes) AS bytes FROM functions")[0]
        Dropped = query(Trace, "SELECT sum((end_ns - begin_ns) / 1e6) AS ms FROM intervals"
                               " WHERE kind = 'OptimizeFunction' AND entity IN (SELECT entity FROM functions"
                               " GROUP BY entity HAVING max(emitted) = 0)")[0]["ms"] or 0
        Symbols = symbols_of(Object)
    Sets = function_sets(Machine, [R["template"] for R in Made])
    Machine = [Ms for _, Ms in Machine]
    ms = lambda Kind, Module: By.get((Kind, Module), {"ms": 0})["ms"]
    Whole = ms("CodeGeneration", True)
    First = min(By[Key]["first"] for Key in By if Key[0].startswith("Optimize"))
    Last = max(K["last"] for K in Kinds if K["kind"] != "CodeGeneration")
    Function = ms("OptimizeFunction", False) + ms("MachineCode", False)
    return {
        "whole": Whole,
        "ir": ms("OptimizeFunction", False) / Whole,
        "module": ms("OptimizeModule", True) / Whole,
        "machine": ms("MachineCode", False) / Whole,
        "machine module": ms("MachineCode", True) / Whole,
        "generation": (First - By["CodeGeneration", True]["first"]) / Whole,
        "rest": (By["CodeGeneration", True]["last"] - Last) / Whole,
        "optimizer": (ms("OptimizeFunction", False) + ms("OptimizeModule", True)) / Optimizer if Optimizer else 0,
        "machine ratio": sum(Ours) / sum(Machine),
        "functions": (len(Ours), len(Machine)),
        "correlation": correlation(Ours, Machine),
        "misplaced": sum(abs(A - B) for A, B in zip(Ours, Machine)) / 2 / sum(Machine),
        "instantiated": sum(O["ms"] for O in Owners if not O["named"]) / Function,
        "given": Functions["count"], "emitted": Functions["emitted"],
        "once": Functions["once"], "dropped": Functions["dropped"],
        "dropped time": Dropped / ms("OptimizeFunction", False),
        "sets": Sets,
        "bytes": (Functions["bytes"], sum(Symbols.values())),
    }


def cost(Clang, Source, Level, Rounds):
    """Least CPU seconds: without a plugin, without the backend's record, with it."""
    with tempfile.TemporaryDirectory(prefix="instantrace-bench-") as Folder:
        Plain = command(Clang, Source, Level, os.path.join(Folder, "a.o"))
        Ways = [Plain, Plain + with_plugin("off"), Plain + with_plugin("on")]
        Times = [[] for _ in Ways]
        for Round in range(Rounds):
            for I in range(len(Ways)):
                At = (I + Round) % len(Ways)
                Times[At].append(cpu(Ways[At]))
    return [min(T) for T in Times]


def instructions(Clang, Source, Level):
    """Of a compile without a plugin, without the backend's record, and with it."""
    Counts = []
    for Way in [[], with_plugin("off"), with_plugin("on")]:
        with tempfile.TemporaryDirectory(prefix="instantrace-bench-") as Folder:
            Compile = command(Clang, Source, Level, os.path.join(Folder, "a.o")) + Way
            Counts.append(sum(callgrind.count_compile(Compile, Folder, environment()).own.values()))
    return Counts


def percent(Share):
    return "%.1f" % (100 * Share)


def tables(Options):
    Rows, Others, Sets, Costs, Counts = [], [], [], [], []
    for Major in Options.clang:
        Clang = PREFIX + str(Major) + "/bin/clang++"
        for Name in Options.files.split(","):
            Source = os.path.join(CORPUS, Name + ".cpp")
            print("%s, Clang %s" % (Name, Major), file=sys.stderr)
            M = measure(Clang, Source, Options.level)
            Rows.append("| %s, %s | %.2f | %s | %s | %s | %s | %s | %s |" % (
                Name, Major, M["whole"] / 1000, percent(M["ir"]), percent(M["machine"]), percent(M["module"]),
                percent(M["machine module"]), percent(M["generation"]), percent(M["rest"])))
            Others.append("| %s, %s | %s | %.4f | %d / %d | %.6f | %s | %s | %d / %d | %d of %d, %s |" % (
                Name, Major, "%.4f" % M["optimizer"] if M["optimizer"] else "–", M["machine ratio"],
                *M["functions"], M["correlation"], percent(M["misplaced"]), percent(M["instantiated"]),
                *M["bytes"], M["dropped"], M["once"], percent(M["dropped time"])))
            if M["sets"]:
                S = M["sets"]
                Sets.append("| %s, %s | %d | %d | %s | %s | %s | %s |" % (
                    Name, Major, S["theirs"], S["ours"],
                    *(percent(S[Kind]) for Kind in ("same", "joined", "split", "both"))))
            if Options.instructions:
                Plain, Off, On = instructions(Clang, Source, Options.level)
                Counts.append("| %s, %s | %.1f | %.4f | %.4f |" % (Name, Major, Plain / 1e9, Off / Plain, On / Off))
            if Options.rounds:
                Plain, Off, On = cost(Clang, Source, Options.level, Options.rounds)
                Costs.append("| %s, %s | %.2f | %.3f | %.3f |" % (Name, Major, Plain, Off / Plain, On / Off))
    Text = ["Command: `utils/dev bench backend %s`  " % " ".join(sys.argv[1:]),
            "Date: %s; %d processors, load %.1f at the end" % (
                datetime.date.today(), os.cpu_count(), os.getloadavg()[0]), "",
            "| file, Clang | code generation, s | passes, functions, % | machine code, functions, % |"
            " passes, module, % | machine code, module, % | IR generation, % | rest, % |",
            "|---|---:|---:|---:|---:|---:|---:|---:|", *Rows, "",
            "| file, Clang | optimizer: ours / theirs | machine code: ours / theirs | functions | correlation |"
            " at another function, % | charged to instantiations, % | bytes of functions: ours / symbols |"
            " link-once and not kept, % of the passes |",
            "|---|---:|---:|---:|---:|---:|---:|---:|---:|", *Others, "",
            "| file, Clang | function sets, theirs | ours | same in both, % of the time | ours has several of"
            " theirs, % | theirs has several of ours, % | neither, % |",
            "|---|---:|---:|---:|---:|---:|---:|", *Sets]
    if Counts:
        Text += ["", "| file, Clang | no plugin, 10^9 instructions | backend=off over no plugin |"
                 " backend=on over off |", "|---|---:|---:|---:|", *Counts]
    if Costs:
        Text += ["", "| file, Clang | no plugin, s | backend=off over no plugin | backend=on over off |",
                 "|---|---:|---:|---:|", *Costs]
    return "\n".join(Text)


def main():
    Parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    Parser.add_argument("--files", default=FILES)
    Parser.add_argument("--clang", action="append", help="a major; the oldest and the newest by default")
    Parser.add_argument("--level", default="O2")
    Parser.add_argument("--rounds", type=int, default=0)
    Parser.add_argument("--instructions", action="store_true", help="count them: fifty times as long as a compile")
    Parser.add_argument("--update", metavar="FILE", help="puts the tables into a document")
    Options = Parser.parse_args()
    Options.clang = Options.clang or [MAJORS[0], MAJORS[-1]]
    if Options.files == "all":
        Options.files = ",".join(sorted(F[:-4] for F in os.listdir(CORPUS) if F.endswith(".cpp")))
    Text = tables(Options)
    if not Options.update:
        return print(Text)
    with open(Options.update, encoding="utf-8") as File:
        Before, Rest = File.read().split(BEGIN)
    After = Rest.split(END)[1]
    with open(Options.update, "w", encoding="utf-8") as File:
        File.write(Before + BEGIN + "\n\n" + Text + "\n\n" + END + After)
    return None


main()
