#!/usr/bin/env python3
"""Two builds of one project, before and after a change: how much CPU time it saved.

usage: pairs.py [--rounds N] [--jobs N] [--estimate PERCENT] NAME BEFORE AFTER [TARGET...]

BEFORE and AFTER are folders that CMake or Meson configured for Ninja. Each round cleans
and builds the one, then the other, and the order changes from round to round; user and
system time of all processes of a build are compared, so links count. Prints a row of
Markdown with each round, and fails when a build does.
"""

import argparse
import datetime
import os
import shutil
import subprocess
import sys

from spent import spent


def main():
    Parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    Parser.add_argument("--rounds", type=int, default=3)
    Parser.add_argument("--jobs", type=int, default=os.cpu_count())
    Parser.add_argument("--estimate", type=float, help="what `instantrace advise` says is saved, in percent")
    Parser.add_argument("name")
    Parser.add_argument("before")
    Parser.add_argument("after")
    Parser.add_argument("target", nargs="*")
    Options = Parser.parse_args()
    Sides = {"before": Options.before, "after": Options.after}
    Seconds = {Side: [] for Side in Sides}
    Loads = []
    Ninja = shutil.which("ninja")
    for Round in range(Options.rounds):
        for Side in sorted(Sides, reverse=Round % 2 == 0):
            subprocess.run([Ninja, "-C", Sides[Side], "-t", "clean"], check=True, stdout=subprocess.DEVNULL)
            _, Cpu, _ = spent([Ninja, "-C", Sides[Side], "-j%d" % Options.jobs, *Options.target])
            Seconds[Side].append(Cpu)
            Loads.append(os.getloadavg()[0])
            print("round %d, %s: %.1f s" % (Round + 1, Side, Seconds[Side][-1]), file=sys.stderr)
    Saved = [100 * (1 - A / B) for B, A in zip(Seconds["before"], Seconds["after"])]
    Mean = 100 * (1 - sum(Seconds["after"]) / sum(Seconds["before"]))
    Spread = "%.1f" % Mean if len(Saved) == 1 else "%.1f (%.1f to %.1f)" % (Mean, min(Saved), max(Saved))
    Estimate = "" if Options.estimate is None else "%.1f" % Options.estimate
    print("| %s | %s | %s | %s | %s | %d | %.0f to %.0f | %s |" % (
        Options.name, Estimate, Spread,
        " ".join("%.1f" % S for S in Seconds["before"]), " ".join("%.1f" % S for S in Seconds["after"]),
        Options.rounds, min(Loads), max(Loads), datetime.date.today()))


if __name__ == "__main__":
    main()
