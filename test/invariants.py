"""Checks what must be true of every analysis of any trace.

usage: invariants.py TRACE...

  * the self times of the rows of each key of `summary` add up to the whole, and
    no row's inclusive time is below its self time or above the whole
  * frontend, optimizer and code generation add up to the self time, and bytes and
    functions to the same sums whatever rows are of
  * a filter and its opposite select everything, row by row, and what a filter
    leaves out is in the row (filtered)
  * the tree adds up, where it happened and by who asked, and a node is its own
    time and that of the nodes below
  * the sums of exports, of what they fold as well, are those of the summary
  * nothing changed between a trace and itself

Traces may be large: rows are read as CSV, and each is looked at once.
"""

import csv
import io
import json
import re
import subprocess
import sys
import time

KEYS = (
    "template specialization class namespace library kind file directory line header user-frame function unit"
).split()
FILTERS = [
    (["--match=^std::"], ["--exclude=^std::"]),
    (["--kind=template-instantiation", "--min-time=20us"], None),
    (["--no-system"], None),
]
FILTERED_KEYS = ["template", "file"]
BACKEND = "ir_generation_estimate_ns ir_instructions machine_instructions object_bytes functions_given functions inlined_away"

csv.field_size_limit(sys.maxsize)


def tool(*Words):
    Done = subprocess.run(["instantrace", *Words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if Done.returncode != 0:
        sys.exit("%s: exit %d\n%s" % (" ".join(Words), Done.returncode, Done.stderr.decode(errors="replace")[-2000:]))
    return Done.stdout.decode(errors="replace")


def rows(*Words):
    return csv.DictReader(io.StringIO(tool(*Words, "--csv"), newline=""))


def check(What, Found, Expected):
    if Found != Expected:
        sys.exit("%s: found %s, expected %s" % (What, Found, Expected))


def summary(Trace, By, Options, TotalNs, Backend):
    """{row: self time}; every check of one table. Backend: sums that the first
    table sets, and the others must have."""
    What = "summary --by=%s %s" % (By, " ".join(Options))
    SelfNs, Sums = {}, {}
    for Row in rows("summary", "--by=" + By, "-n", "0", *Options, Trace):
        Self, Inclusive = int(Row["self_ns"]), int(Row["inclusive_ns"])
        if not Self <= Inclusive <= TotalNs:
            sys.exit("%s: %s: self %d, inclusive %d, of %d" % (What, Row["name"], Self, Inclusive, TotalNs))
        # Two rows may have one text: names that are told apart by what is not shown.
        SelfNs[Row["name"]] = SelfNs.get(Row["name"], 0) + Self
        if "optimize_ns" not in Row:
            continue
        Parts = sum(int(Row[Part + "_ns"]) for Part in ("frontend", "optimize", "generate"))
        check("%s: %s: frontend, optimize, generate" % (What, Row["name"]), Parts, Self)
        for Field in BACKEND.split():
            Sums[Field] = Sums.get(Field, 0) + int(Row[Field])
    check(What + ": self times", sum(SelfNs.values()), TotalNs)
    for Field, Sum in Sums.items():
        check("%s: %s" % (What, Field), Sum, Backend.setdefault(Field, Sum))
    return SelfNs


def summaries(Trace, Costs):
    TotalNs = Costs["total_ns"]
    Backend = {}
    for By in KEYS:
        Whole = summary(Trace, By, [], TotalNs, Backend)
        # Less, where a compile was killed before LLVM was given functions.
        # By unit there are columns of the backend in every trace.
        Shared, IrNs = Backend.get("ir_generation_estimate_ns", 0), Costs.get("ir_generation_ns", 0)
        if Shared > IrNs:
            sys.exit("%s of IR generation shared out, of %d" % (Backend, IrNs))
        if By not in FILTERED_KEYS:
            continue
        for Filter, Opposite in FILTERS:
            Part = summary(Trace, By, Filter, TotalNs, Backend)
            Left = Part.pop("(filtered)", 0)
            if not Opposite:
                continue
            Other = summary(Trace, By, Opposite, TotalNs, Backend)
            check("%s and %s, left out" % (Filter, Opposite), Left + Other.pop("(filtered)", 0), TotalNs)
            for Name, SelfNs in Whole.items():
                check("%s and %s: %s" % (Filter, Opposite, Name), Part.get(Name, 0) + Other.get(Name, 0), SelfNs)


def tree(Trace, Options, TotalNs):
    What = "tree " + " ".join(Options)
    SumNs, Path = 0, []  # nodes around: inclusive time that is not explained yet
    for Row in rows("tree", "--all", "-n", "0", *Options, Trace):
        Depth, Self, Inclusive = int(Row["depth"]), int(Row["self_ns"]), int(Row["inclusive_ns"])
        for Name, Left in Path[Depth:]:
            check("%s: %s, not in nodes below" % (What, Name), Left, 0)
        del Path[Depth:]
        if Path:
            Path[-1][1] -= Inclusive
        Path.append([Row["name"], Inclusive - Self])
        SumNs += Self
    for Name, Left in Path:
        check("%s: %s, not in nodes below" % (What, Name), Left, 0)
    check(What + ": self times", SumNs, TotalNs)


def exports(Trace, TotalNs):
    # Stacks of all events would be a hundred times as much text as the trace.
    Stacks = tool("export", "--to=folded", "--max-events=1000", "-o", "-", Trace).splitlines()
    check("export --to=folded", sum(int(S.rsplit(" ", 1)[1]) for S in Stacks), TotalNs)
    Graph = tool("export", "--to=callgrind", "-o", "-", Trace)
    Sum = re.search(r"^summary: (\d+)", Graph, re.M).group(1)
    check("export --to=callgrind", int(Sum), TotalNs)


def main():
    for Trace in sys.argv[1:]:
        Start = time.monotonic()
        Costs = json.loads(tool("summary", "--json", "-n", "1", Trace))
        TotalNs = Costs["total_ns"]
        summaries(Trace, Costs)
        for Options in (["--level=template"], ["--requested-by"]):
            tree(Trace, Options, TotalNs)
        exports(Trace, TotalNs)
        check("diff with itself", list(rows("diff", "-n", "0", Trace, Trace)), [])
        print("%s: all invariants hold, %.1f s" % (Trace, time.monotonic() - Start))


if __name__ == "__main__":
    main()
