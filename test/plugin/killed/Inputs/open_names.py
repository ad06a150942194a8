"""What a compile that SIGKILL ends says of what was open then, and of all else.

usage: open_names.py CLANG PLUGIN PRELOAD SCRATCH SOURCE [--cpu SECONDS | --moments N]

With --cpu, the kernel ends the compile once it took so long, and each interval that is
open has to have its whole name and its place. With --moments, it is ended as a random
event begins, N times: then that holds of those that were open for 100 ms.
"""

import argparse
import json
import os
import random
import resource
import signal
import subprocess

from interrupted import HANG_SECONDS, check, fresh, hidden, main, recover, source_options, tool
from kill_timer import kill_timer
from tables import Tables

OPEN_NS = 100_000_000
OPEN = """SELECT entity, location, begin_ns, name, file, kind,
  (SELECT max(time_ns) FROM events) AS last_ns FROM intervals WHERE unfinished"""


def names(Trace):
    """Of a recovered trace: {"entities", "whole", "open": those of template work, "open_short":
    those that lack their whole name or their place}."""
    Recovered = Tables(Trace)
    Short = {Id for Id, _ in Recovered.short_names()}
    Placed = len(Recovered.Locations)
    Rows = [R for R in json.loads(tool("query", "--json", Trace, OPEN)) if R["entity"]]
    Lacks = lambda R: R["entity"] in Short or not R["name"] or (R["location"] or 0) >= Placed
    Entities = len(Recovered.EntityNames) - 1
    return {
        "entities": Entities,
        "whole": Entities - len(Short),
        "open": Rows,
        "open_short": [R for R in Rows if Lacks(R)],
    }


def compile_once(Options, Environment, Seconds=None):
    Limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (Seconds, Seconds))
    Folder = fresh(Options.scratch)
    Command = [Options.clang, "-fplugin=" + Options.plugin, "-w", "-fsyntax-only", "-ftemplate-depth=2000"]
    Command += ["-fplugin-arg-instantrace-output=" + os.path.join(Folder, "a.itrace")]
    Done = subprocess.run(
        Command + source_options(Options.source) + [Options.source],
        env=dict(os.environ, **Environment),
        preexec_fn=Limit if Seconds else None,
        timeout=HANG_SECONDS,
    )
    return Done.returncode


def killed(Options, Environment, Seconds=None):
    Code = compile_once(Options, Environment, Seconds)
    check(Code == -signal.SIGKILL, "exit %d, expected SIGKILL" % Code)
    Buffer = next(N for N in hidden(Options.scratch) if N.endswith(".buffer"))
    Trace = os.path.join(Options.scratch, "r.itrace")
    recover(os.path.join(Options.scratch, Buffer), Trace)
    tool("verify", Trace)
    return names(Trace)


def run():
    P = argparse.ArgumentParser()
    for Name in ("clang", "plugin", "preload", "scratch", "source"):
        P.add_argument(Name)
    P.add_argument("--cpu", type=int)
    P.add_argument("--moments", type=int)
    P.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    Options = P.parse_args()
    print("seed %d" % Options.seed, flush=True)
    if Options.cpu:
        Found = killed(Options, {"INSTANTRACE_EVENTS": "-line"}, Options.cpu)
        print("%d open, %d without" % (len(Found["open"]), len(Found["open_short"])))
        check(not Found["open_short"], "open, and without name or place: %s" % Found["open_short"])
        check(len(Found["open"]) > 10, "only %d intervals are open" % len(Found["open"]))
        return
    Counter = Options.scratch + ".counter"
    Code = compile_once(Options, kill_timer(Options.preload, Counter, 0, 3_600_000_000_000))
    check(Code == 0, "undisturbed: exit %d" % Code)
    with open(Counter, "rb") as File:
        Last = int.from_bytes(File.read(), "little") - 1
    Rng, OldCount = random.Random(Options.seed), 0
    for _ in range(Options.moments):
        Event = Rng.randrange(Last // 4, Last * 9 // 10)
        Found = killed(Options, kill_timer(Options.preload, Counter, Event))
        IsOld = lambda R: R["last_ns"] - R["begin_ns"] > OPEN_NS
        Old = [R for R in Found["open_short"] if IsOld(R)]
        OldCount += sum(map(IsOld, Found["open"]))
        Text = "event %d: %d of %d whole; %d open, %d without"
        print(Text % (Event, Found["whole"], Found["entities"], len(Found["open"]), len(Found["open_short"])), flush=True)
        check(not Old, "open for long, and without name or place: %s" % Old)
    check(OldCount >= Options.moments, "only %d were open for long" % OldCount)


if __name__ == "__main__":
    main(run)
