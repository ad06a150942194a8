#!/usr/bin/env python3
"""Measures what SIGKILL costs: names of the newest entities, bytes left behind.

Kills compiles at random moments as test/plugin/killed does, with every check of
it, and prints a table: how many entities and locations of the recovered events
have no name, and how large the leftovers are. At most 256 entities wait for
their names at any time (Recorder::NamingBatch); that is the bound.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
INPUTS = os.path.join(ROOT, "test", "plugin", "killed", "Inputs")
sys.path.insert(0, INPUTS)

import interrupted  # noqa: E402
import moments  # noqa: E402
import run  # noqa: E402


def parse_arguments():
    P = argparse.ArgumentParser(
        description=__doc__.split("\n\n")[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    Corpus = os.path.join(os.path.dirname(ROOT), "shared", "corpus")
    P.add_argument("--build", default=os.path.join(ROOT, "build"))
    P.add_argument("--corpus", default=Corpus)
    P.add_argument("--files", default="sfinae_overloads,fmt_compile,lambda_nest,boost_hana")
    P.add_argument("--clang", type=int, action="append", help="may be repeated (the oldest and the newest)")
    P.add_argument("--llvm-prefix", default="/usr/lib/llvm-")
    P.add_argument("--moments", type=int, default=40)
    P.add_argument("--seed", type=int, default=1)
    Options = P.parse_args()
    Options.clang = Options.clang or run.ENDS
    return Options


def spread(Numbers, Unit=1):
    if not Numbers:
        return "-"
    return "%d / %d" % (statistics.median(Numbers) / Unit, max(Numbers) / Unit)


def main():
    Options = parse_arguments()
    os.environ["PATH"] = os.path.join(Options.build, "bin") + ":" + os.environ["PATH"]
    Plugin = os.path.join(Options.build, "lib", "instantrace", "libinstantrace.so")
    print("seed %d, %d moments each; median / maximum" % (Options.seed, Options.moments))
    Row = "%-18s %5s %9s %9s %16s %16s %16s"
    print(Row % ("file", "clang", "recovered", "events", "without name", "without place", "leftover KiB"))
    with tempfile.TemporaryDirectory() as Scratch:
        Preload = os.path.join(Scratch, "kill-timer.so")
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-O1", os.path.join(INPUTS, "kill-timer.c")]
            + ["-o", Preload, "-ldl"],
            check=True,
        )
        for Name in Options.files.split(","):
            for Major in Options.clang:
                Reference, Outcomes, Reports = moments.measure(
                    moments.arguments(
                        [Options.llvm_prefix + "%d/bin/clang++" % Major, Plugin, Preload]
                        + [Scratch, os.path.join(Options.corpus, Name + ".cpp")]
                        + ["--seed", str(Options.seed)]
                        + ["--moments", str(Options.moments)]
                    )
                )
                print(
                    Row
                    % (
                        Name,
                        Major,
                        "%d/%d" % (Outcomes[moments.RECOVERED], Options.moments),
                        len(Reference.Lines),
                        spread([R["unnamed_entities"] for R in Reports]),
                        spread([R["unplaced"] for R in Reports]),
                        spread([R["leftover_bytes"] for R in Reports], 1024),
                    )
                )
                sys.stdout.flush()


try:
    main()
except interrupted.Fault as Reason:
    sys.exit("FAULT: %s" % Reason)
