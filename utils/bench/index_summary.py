#!/usr/bin/env python3
"""Measures `summary` of a trace beside that of its index.

usage: index_summary.py BUILD [INTERVALS...]

For each size a trace of one compile is made by instantrace-make-buffer, with an entity
for each twenty intervals as in instantrace-bench-index, and its index by `index`. Rounds
rotate through the questions. A cell is the median of user and system time, or the
largest resident set. What the two say is compared.
"""

import os
import statistics
import subprocess
import sys
import tempfile

from spent import spent

ROUNDS = 5
USUAL = [10000, 50000, 100000, 1000000, 3500000, 10000000]
HEADS = [
    "intervals", "trace, MB", "index, MB", "summary of the trace, ms", "of the index, ms", "times faster",
    "memory of the trace's, MB", "memory of the index's, MB", "memory of making it, MB",
    "by specialization, ms", "of the index, by specialization, ms",
]


def said(Tool, Input, *Options):
    return subprocess.run([Tool, "summary", "--csv", *Options, Input], check=True, stdout=subprocess.PIPE).stdout


def row(Tool, Make, Count, Folder):
    Trace, Index = os.path.join(Folder, "bench.itrace"), os.path.join(Folder, "bench.itx")
    subprocess.run([Make, Trace, "many", str(Count), str(max(100, Count // 20))], check=True)
    _, _, Making = spent([Tool, "index", "--force", "-o", Index, Trace])
    By = "--by=specialization"
    Questions = [(Trace,), (Index,), (Trace, By), (Index, By)]
    for Options in ([], [By]):
        if said(Tool, Trace, *Options) != said(Tool, Index, *Options):
            sys.exit("found other answers of %s than of %s, expected the same" % (Index, Trace))
    Samples = {Question: [] for Question in Questions}
    for Round in range(ROUNDS):
        for At in range(len(Questions)):
            Question = Questions[(At + Round) % len(Questions)]
            Samples[Question].append(spent([Tool, "summary", *Question[1:], Question[0]])[1:])
    Cpu = [1e3 * statistics.median(S for S, _ in Samples[Q]) for Q in Questions]
    Memory = [max(M for _, M in Samples[Q]) for Q in Questions]
    Cells = [
        Count, os.path.getsize(Trace) / 1e6, os.path.getsize(Index) / 1e6, Cpu[0], Cpu[1], Cpu[0] / Cpu[1],
        Memory[0] / 1e6, Memory[1] / 1e6, Making / 1e6, Cpu[2], Cpu[3],
    ]
    os.remove(Trace)
    os.remove(Index)
    return "| " + " | ".join([str(Count)] + ["%.1f" % Cell for Cell in Cells[1:]]) + " |"


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    Tool = os.path.join(sys.argv[1], "bin", "instantrace")
    Make = os.path.join(sys.argv[1], "test", "tools", "instantrace-make-buffer")
    print("\n| " + " | ".join(HEADS) + " |\n|" + "---:|" * len(HEADS), flush=True)
    with tempfile.TemporaryDirectory(prefix="instantrace-bench-") as Folder:
        for Count in [int(Word) for Word in sys.argv[2:]] or USUAL:
            print(row(Tool, Make, Count, Folder), flush=True)


if __name__ == "__main__":
    main()
