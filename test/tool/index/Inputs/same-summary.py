#!/usr/bin/env python3
"""Compares what `summary` says of traces with what it says of their index.

usage: same-summary.py TRACE...
       same-summary.py --at-once TRACE
       same-summary.py --in-one ALL TRACE...

At once: by several processes, none of which finds an index. In one: with what
it says of a file that has all of the traces, and with their index.
"""

import subprocess
import sys

BY = "template specialization class namespace library kind file directory line header user-frame function".split()
SORT = "self inclusive count memoized ast name frontend optimize generate bytes functions inlined-away".split()
FORMS = (["--json", "-n", "0"], ["--csv", "--parameters", "-n", "2"], ["--default-args"])


def said(Options, *Traces):
    # The note on the index that was made is no part of the answer.
    Ran = subprocess.run(["instantrace", "summary"] + Options + list(Traces), stdout=subprocess.PIPE, check=True)
    return Ran.stdout


def questions():
    for By in BY:
        for Form in FORMS:
            yield ["--by=" + By] + Form
    for Sort in SORT:
        yield ["--sort=" + Sort]
        yield ["--by=specialization", "-n", "3", "--sort=" + Sort]


def at_once(Trace):
    Asking = [
        subprocess.Popen(["instantrace", "summary", "--index", Trace], stdout=subprocess.PIPE) for _ in range(6)
    ]
    Answers = [Each.communicate()[0] for Each in Asking]
    Right = said([], Trace)
    Differ = sum(Answer != Right for Answer in Answers)
    print("%d of %d answers differ" % (Differ, len(Answers)))
    return Differ != 0


def in_one(All, Traces):
    Asked = Differ = 0
    subprocess.run(["instantrace", "index", "-o", "in-one.itx"] + Traces, check=True)
    for By in BY:
        # CSV does not say how many files there were.
        for Form in (["-n", "0"], ["--match=N"], ["--match=X", "--level=class"], ["--exclude=A", "--parameters"]):
            Options = ["--csv", "--by=" + By] + Form
            Right = said(Options, All)
            Others = [said(Options, *Traces)] + ([said(Options, "in-one.itx")] if Form == ["-n", "0"] else [])
            Asked += len(Others)
            for Other in Others:
                if Other != Right:
                    Differ += 1
                    print("differs:", *Options)
    print("%d of %d answers differ" % (Differ, Asked))
    return Differ != 0


def main(Traces):
    if Traces[0] == "--in-one":
        return in_one(Traces[1], Traces[2:])
    if Traces[0] == "--at-once":
        return at_once(Traces[1])
    Asked = Differ = 0
    for Trace in Traces:
        for Options in questions():
            Asked += 1
            if said(Options, Trace) != said(["--index"] + Options, Trace):
                Differ += 1
                print("differs:", Trace, *Options)
    print("%d of %d answers differ" % (Differ, Asked))
    return Differ != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
