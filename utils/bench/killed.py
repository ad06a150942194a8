#!/usr/bin/env python3
"""What SIGKILL costs: events, names and memoized hits, over many kills.

usage: killed.py [--files A,B] [--clang N]... [--how HOW]... [--moments N]
           [--seed N] [--jobs N]

Kills compiles at random moments, as test/plugin/killed does and with every check
of it: what is left has to be a begin of the undisturbed run's events, readable and
verified, with names for all but the newest entities. A check that fails ends the
run. HOW is callback, observer, or drains: the callback with a buffer of 64 KiB, which
is emptied into the partial trace again and again. The table has a row per file and
HOW, over all Clangs:
  kills      how many, and how many of them left events to recover
  events     of the undisturbed run
  lost       events that were begun and are not there, at most (the observer
             begins none, so with it this is not known)
  names      least part of the entities that have their names, median and worst
  short      entities with a short name alone, at most (a batch waits for names)
  hits       of the memoized hits of finished intervals, the part that each
             entity's count has; those of the intervals themselves are never lost
  KiB        left behind, at most
"""

import argparse
import concurrent.futures
import json
import os
import statistics
import subprocess
import sys
import tempfile

from run import MAJORS, ROOT

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
    return P.parse_args()


def inspect(Trace):
    """Entities with a name, and both sums of memoized hits."""
    Row = json.loads(interrupted.tool("query", "--json", Trace, HITS))[0]
    Recovered = Tables(Trace)
    return {
        "named": (Recovered.FirstShortName or len(Recovered.EntityNames)) - 1,
        "hits": (Row["a"] or 0, Row["b"] or 0),
    }


def source(Options, Name):
    return os.path.join(ROOT, Name) if "/" in Name else os.path.join(Options.corpus, Name + ".cpp")


def kill(Options, Preload, Scratch, Name, Major, How):
    """(events of the undisturbed run, kills, reports of those that left events)"""
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
    Reference, Outcomes, Reports = moments.measure(Kills)
    Ended = Outcomes[moments.ENDED]
    return len(Reference.Lines), Options.moments - Ended, [R for R in Reports if R["events"]]


def percent(Parts):
    """Median and least, in percent."""
    if not Parts:
        return "-"
    return "%.1f, %.1f" % (100 * statistics.median(Parts), 100 * min(Parts))


def whole(Report):
    return Report["named"]


def entities(Report):
    return Report["named"] + Report["short_names"] + Report["unnamed_entities"]


def row(Name, How, Results):
    Reports = [R for _, _, Some in Results for R in Some]
    Lost = "-" if How == "observer" else max((R["missing"] for R in Reports), default=0)
    Names = [whole(R) / entities(R) for R in Reports if entities(R)]
    Known = [(whole(R) + R["short_names"]) / entities(R) for R in Reports if entities(R)]
    Hits = [R["hits"][1] / R["hits"][0] for R in Reports if R["hits"][0]]
    return "| %s | %s | %d, %d | %s | %s | %s | %s | %d | %s | %d |" % (
        os.path.basename(Name),
        How,
        sum(Kills for _, Kills, _ in Results),
        len(Reports),
        " ".join("%d" % Events for Events in sorted({Events for Events, _, _ in Results})),
        Lost,
        percent(Names),
        percent(Known),
        max((R["short_names"] for R in Reports), default=0),
        percent(Hits),
        max((R["leftover_bytes"] for R in Reports), default=0) / 1024,
    )


def main():
    Options = parse_arguments()
    os.environ["PATH"] = os.path.join(Options.build, "bin") + ":" + os.environ["PATH"]
    Majors = Options.clang or MAJORS
    print("Clang %s, seed %d, %d moments each" % (" ".join(map(str, Majors)), Options.seed, Options.moments))
    print("| file | how | kills, recovered | events | lost | whole names %: median, least | whole or short % | short | hits %: median, least | KiB |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    Kills, All = 0, []
    with tempfile.TemporaryDirectory() as Scratch, concurrent.futures.ThreadPoolExecutor(Options.jobs) as Pool:
        Preload = os.path.join(Scratch, "kill-timer.so")
        Timer = os.path.join(INPUTS, "kill-timer.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", Timer, "-o", Preload, "-ldl"], check=True)
        for Name in Options.files.split(","):
            for How in Options.how or ENVIRONMENTS:
                Results = list(Pool.map(lambda M: kill(Options, Preload, Scratch, Name, M, How), Majors))
                Kills += sum(K for _, K, _ in Results)
                All += [R for _, _, Some in Results for R in Some]
                print(row(Name, How, Results), flush=True)
    Named, Short, Count = sum(map(whole, All)), sum(R["short_names"] for R in All), sum(map(entities, All))
    print()
    print("%d kills, %d of them left events; after each one every check passed" % (Kills, len(All)))
    print("%d of %d entities have their whole names, %.2f %%; with short ones, %.2f %%" % (Named, Count, 100 * Named / Count, 100 * (Named + Short) / Count))


try:
    main()
except interrupted.Fault as Reason:
    sys.exit("FAULT: %s" % Reason)
