#!/usr/bin/env python3
"""What SIGKILL costs: events, names and memoized hits, over many kills.

usage: killed.py [--files A,B] [--clang N]... [--how HOW]... [--moments N]
           [--seed N] [--jobs N] [--json FILE] [--again FILE] [--update FILE]

Kills compiles at random moments, as test/plugin/killed does and with every check
of it: what is left has to be a begin of the undisturbed run's events, readable and
verified, with names for all but the newest entities. A check that fails is printed,
ends the kills of that file with that Clang, and makes the exit code 1. HOW is
callback, observer, or drains: the callback with a buffer of 64 KiB, which is emptied
into the partial trace again and again. The table has a row per file and HOW, over
all Clangs, followed by one per Clang, and one per way to choose the moment
(test/plugin/killed/Inputs/moments.py):
  kills      how many, and how many of them left events to recover
  events     of the undisturbed run
  lost       events that were begun and are not there, at most (the observer
             begins none, so with it this is not known)
  whole      entities that have their whole names: of those of all kills in that row,
             in the median kill, and in the worst
  open       of the intervals about an entity that were open, in the kills of that row:
             those with its whole name and their place
  short      entities with a short name alone, at most
  hits       of the memoized hits of finished intervals, the part that each
             entity's count has; those of the intervals themselves are never lost
  KiB        left behind, at most
"""

import argparse
import concurrent.futures
import datetime
import json
import os
import statistics
import subprocess
import sys
import tempfile

from run import MAJORS, ROOT, machine, update

INPUTS = os.path.join(ROOT, "test", "plugin", "killed", "Inputs")
sys.path.insert(0, INPUTS)

import interrupted  # noqa: E402
import moments  # noqa: E402
from tables import Tables  # noqa: E402

# Names of the corpus, and paths in this project. Each check compares all events with
# those of an undisturbed compile, so a file with a million takes seconds per kill.
FILES = ",".join(
    ["error_infinite", "error_deep", "constexpr_regex", "lambda_nest"]
    + ["test/plugin/recording/names-of-long-packs.cpp", "test/plugin/harmless/namespaces-and-classes.cpp"]
    + ["test/plugin/harmless/standard-library.cpp", "test/plugin/oracle/member-templates.cpp"]
)
ENVIRONMENTS = {
    "callback": {"INSTANTRACE_HOOK": "callback"},
    "observer": {"INSTANTRACE_HOOK": "observer"},
    "drains": {"INSTANTRACE_HOOK": "callback", "INSTANTRACE_BUFFER_SIZE": "64"},
}
# Corpus files that do not compile, and are there for it.
EXIT = {"error_infinite": 1, "error_deep": 1}
HITS = "SELECT (SELECT sum(memoized) FROM intervals) a, (SELECT sum(memoized) FROM entities) b"


# Of work about an entity, what was open.
OPEN = "SELECT entity, location, name FROM intervals WHERE unfinished AND entity IS NOT NULL"


def parse_arguments():
    P = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    P.add_argument("--build", default=os.path.join(ROOT, "build"))
    P.add_argument("--corpus", default=os.path.join(os.path.dirname(ROOT), "shared", "corpus"))
    P.add_argument("--files", default=FILES)
    P.add_argument("--clang", type=int, action="append", help="may be repeated (all)")
    P.add_argument("--how", choices=list(ENVIRONMENTS), action="append", help="may be repeated (all)")
    P.add_argument("--llvm-prefix", default="/usr/lib/llvm-")
    P.add_argument("--moments", type=int, default=9, help="per file, Clang and HOW (9)")
    P.add_argument("--seed", type=int, default=1)
    P.add_argument("--jobs", type=int, default=os.cpu_count())
    P.add_argument("--json", metavar="FILE", help="write what each kill left there")
    P.add_argument("--again", metavar="FILE", help="kill nothing, and make the tables of what --json wrote")
    P.add_argument("--update", metavar="FILE", help="replace the part of FILE between the markers of this script")
    return P.parse_args()


def inspect(Trace):
    """Entities with a whole name, what was open, and both sums of memoized hits."""
    Row = json.loads(interrupted.tool("query", "--json", Trace, HITS))[0]
    Recovered = Tables(Trace)
    Short = {Id for Id, _ in Recovered.short_names()}
    Open = json.loads(interrupted.tool("query", "--json", Trace, OPEN))
    Lacks = lambda R: R["entity"] in Short or not R["name"] or (R["location"] or 0) >= len(Recovered.Locations)
    return {
        "named": (Recovered.FirstShortName or len(Recovered.EntityNames)) - 1 + len(Recovered.WholeNames),
        "open": len(Open),
        "open_short": sum(map(Lacks, Open)),
        "hits": (Row["a"] or 0, Row["b"] or 0),
    }


def source(Options, Name):
    return os.path.join(ROOT, Name) if "/" in Name else os.path.join(Options.corpus, Name + ".cpp")


def kill(Options, Preload, Scratch, Name, How, Major, First):
    """What the kills of one file with one Clang left."""
    Arguments = [
        Options.llvm_prefix + "%d/bin/clang++" % Major,
        os.path.join(Options.build, "lib", "instantrace", "libinstantrace.so"),
        Preload,
        os.path.join(Scratch, "%s-%d-%s" % (os.path.basename(Name), Major, How)),
        source(Options, Name),
        "--seed=%d" % (Options.seed + Major),
        "--moments=%d" % Options.moments,
        "--exit=%d" % EXIT.get(Name, 0),
    ] + (["--looks"] if How == "observer" else [])
    Kills = moments.arguments(Arguments)
    Kills.inspect = inspect
    Kills.environment = ENVIRONMENTS[How]
    Kills.first = First
    Cell = {"file": os.path.basename(Name), "how": How, "clang": Major, "kills": 0, "events": 0, "reports": [], "fault": None}
    try:
        Reference, Outcomes, Reports = moments.measure(Kills)
    except interrupted.Fault as Reason:
        return dict(Cell, fault=str(Reason))
    Cell["events"] = len(Reference.Lines)
    Cell["kills"] = Options.moments - Outcomes[moments.ENDED]
    Cell["reports"] = [R for R in Reports if R["events"]]
    return Cell


def kill_all(Options):
    Cells = [(F, H, M) for F in Options.files.split(",") for H in Options.how for M in Options.clang]
    with tempfile.TemporaryDirectory() as Scratch, concurrent.futures.ThreadPoolExecutor(Options.jobs) as Pool:
        Preload = os.path.join(Scratch, "kill-timer.so")
        Timer = os.path.join(INPUTS, "kill-timer.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", Timer, "-o", Preload, "-ldl"], check=True)
        # The ways go on from one to the next, so that few moments of each have all of them.
        Work = [Pool.submit(kill, Options, Preload, Scratch, *Cell, Number * Options.moments) for Number, Cell in enumerate(Cells)]
        for Done, Future in enumerate(Work, 1):
            Cell = Future.result()
            Text = "%d of %d: %s, %s, Clang %d: " % (Done, len(Work), Cell["file"], Cell["how"], Cell["clang"])
            print(Text + (Cell["fault"] or "%d kills" % Cell["kills"]), file=sys.stderr, flush=True)
            yield Cell


def percent(Parts):
    """Median and least, in percent."""
    if not Parts:
        return "-"
    return "%.1f, %.1f" % (100 * statistics.median(Parts), 100 * min(Parts))


def entities(Report):
    return Report["named"] + Report["short_names"] + Report["unnamed_entities"]


def names(Reports):
    Count = sum(map(entities, Reports))
    if not Count:
        return "-"
    Parts = [R["named"] / entities(R) for R in Reports if entities(R)]
    return "%.1f, %s" % (100 * sum(R["named"] for R in Reports) / Count, percent(Parts))


def open_share(Reports):
    Count = sum(R["open"] for R in Reports)
    return "%.1f" % (100 - 100 * sum(R["open_short"] for R in Reports) / Count) if Count else "-"


def most(Reports, Key):
    return max((R[Key] for R in Reports), default=0)


def reports(Cells):
    return [R for C in Cells for R in C["reports"]]


def row(Name, How, Cells):
    Reports = reports(Cells)
    Events = [C["events"] for C in Cells if C["events"]] or [0]
    Hits = [R["hits"][1] / R["hits"][0] for R in Reports if R["hits"][0]]
    return "| %s | %s | %d, %d | %s | %s | %s | %s | %d | %s | %d |" % (
        Name,
        How,
        sum(C["kills"] for C in Cells),
        len(Reports),
        "%d" % Events[0] if len(set(Events)) == 1 else "%d to %d" % (min(Events), max(Events)),
        "-" if How == "observer" else most(Reports, "missing"),
        names(Reports),
        open_share(Reports),
        most(Reports, "short_names"),
        percent(Hits),
        most(Reports, "leftover_bytes") / 1024,
    )


def tables(Options, Cells):
    yield "| file | how | kills, recovered | events | lost | whole names %: all, median, least | open % | short | hits %: median, least | KiB |"
    yield "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for Key in dict.fromkeys((C["file"], C["how"]) for C in Cells):
        yield row(*Key, [C for C in Cells if (C["file"], C["how"]) == Key])
    yield ""
    yield "| Clang | kills, recovered | one event lost in | whole names %: all, median, least | open % | short | without name | checks failed |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    for Major in [*sorted({C["clang"] for C in Cells}), "all"]:
        Some = [C for C in Cells if Major in (C["clang"], "all")]
        Reports = reports(Some)
        yield "| %s | %d, %d | %d | %s | %s | %d | %d | %d |" % (
            Major,
            sum(C["kills"] for C in Some),
            len(Reports),
            sum(R["missing"] for R in Reports),
            names(Reports),
            open_share(Reports),
            most(Reports, "short_names"),
            most(Reports, "unnamed_entities"),
            sum(bool(C["fault"]) for C in Some),
        )
    yield ""
    yield "| moment | recovered | entities in the median kill | whole names %: all, median, least | open % |"
    yield "|---|---:|---:|---:|---:|"
    for Way in dict.fromkeys(moments.WAYS):
        Reports = [R for R in reports(Cells) if R["way"] == Way]
        if Reports:
            Median = statistics.median(map(entities, Reports))
            yield "| %s | %d | %d | %s | %s |" % (Way, len(Reports), Median, names(Reports), open_share(Reports))
    yield ""


def main():
    Options = parse_arguments()
    os.environ["PATH"] = os.path.join(Options.build, "bin") + ":" + os.environ["PATH"]
    Options.clang = Options.clang or MAJORS
    Options.how = Options.how or list(ENVIRONMENTS)
    if Options.again:
        with open(Options.again, encoding="utf-8") as File:
            Run = json.load(File)
    else:
        Command = "utils/dev bench killed --moments %d --seed %d" % (Options.moments, Options.seed)
        Run = {
            "about": "Command: `%s`; Clang %s;\n%s; %s." % (Command, ", ".join(map(str, Options.clang)), machine(), datetime.date.today()),
            "cells": list(kill_all(Options)),
        }
    if Options.json:
        with open(Options.json, "w", encoding="utf-8") as File:
            json.dump(Run, File, indent=1)
    Text = "\n".join([Run["about"], "", *tables(Options, Run["cells"])]) + "\n"
    print(Text, end="")
    if Options.update:
        update(Options.update, Text, "utils/bench/killed.py")
    return int(any(C["fault"] for C in Run["cells"]))


if __name__ == "__main__":
    sys.exit(main())
