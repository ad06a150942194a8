#!/usr/bin/env python3
"""Compares what `diff` says of two builds with what it says of their indexes.

usage: same-diff.py [--all] OLD NEW

All: each --by in each order and form; without it, each of these once.
"""

import subprocess
import sys

BY = "template specialization class namespace library kind file directory line header user-frame function".split()
SORT = "self inclusive count memoized ast name frontend optimize generate bytes functions inlined-away".split()
FORMS = (["--json", "-n", "0"], ["--csv", "--parameters", "-n", "2"], ["--default-args"], ["--markdown"])
BOUNDS = ["--fail-on=count>+1%", "--fail-on=time>1ns", "--fail-on=self>+0%", "--fail-on=ast<1GB"]


def said(Options, Old, New):
    # The notes on the indexes that were made are no part of the answer.
    Ran = subprocess.run(["instantrace", "diff", Old, New] + Options, stdout=subprocess.PIPE)
    if Ran.returncode not in (0, 3):
        sys.exit("failed: %s" % Options)
    return Ran.returncode, Ran.stdout


def questions(IsAll):
    for By in BY:
        for Form in FORMS:
            yield ["--by=" + By] + Form
        yield ["--by=" + By, "--json"] + BOUNDS
        for Sort in SORT if IsAll else []:
            yield ["--by=" + By, "--sort=" + Sort, "-n", "0", "--json", "--noise=0"]
    for Sort in SORT:
        yield ["--sort=" + Sort, "--noise=0"]


def main(Arguments):
    Old, New = Arguments[-2:]
    Asked = Differ = Said = 0
    for Options in questions("--all" in Arguments):
        Asked += 1
        Right = said(Options, Old, New)
        Said += len(Right[1])
        if Right != said(["--index"] + Options, Old, New):
            Differ += 1
            print("differs:", *Options)
    print("%d of %d answers differ, of %d bytes" % (Differ, Asked, Said))
    return Differ != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
