"""Compares the definitions in a trace with those of Clang's -ftime-trace.

usage: compare-with-time-trace.py CLANG PLUGIN SCRATCH SOURCE [CLANG-OPTION...]

One compile writes both files. -ftime-trace-granularity=0 has an event
InstantiateClass or InstantiateFunction for each definition that is made by
instantiation; ours are the intervals whose end says `definition` and whose
entity is a class or a function. Their numbers have to be the same, in total
and for each name without its template arguments (-ftime-trace leaves default
arguments out, so whole names differ) and without the parameters of functions
around it (-ftime-trace has these as written, `std::size_t`, we have them as they
are, `unsigned long`).
"""

import collections
import json
import os
import re
import subprocess
import sys

KINDS = {"1": "InstantiateClass", "2": "InstantiateFunction"}  # of entities


def without_arguments(Name):
    """`ns::A<int>::f<B<char>>` -> `ns::A::f`"""
    Name = re.sub(r"\boperator\s*(<=>|<<=?|>>=?|->\*?|[<>]=?)", "operator@", Name)
    Kept, Angles, Parens = [], 0, 0
    for At, C in enumerate(Name):
        if Angles and C in "()":
            Parens += 1 if C == "(" else -1
        # In an argument like `(A > B)` and in `->` these are no brackets.
        elif C == "<" and not Parens:
            Angles += 1
        elif C == ">" and Angles and not Parens and Name[At - 1] != "-":
            Angles -= 1
            continue
        if not Angles:
            Kept.append(C)
    return "".join(Kept)


def without_parameters(Name):
    """`f(int)::Local::g` -> `f::Local::g`; `(lambda at a.cpp:1:2)` stays"""
    Kept, Opened = [], []
    for At, C in enumerate(Name):
        Kept.append(C)
        if C == "(":
            Opened.append(len(Kept) - 1)
        elif C == ")" and Opened:
            Begin = Opened.pop()
            IsOfFunction = Begin and Kept[Begin - 1] != ":" and not Opened
            if IsOfFunction and Name.startswith("::", At + 1):
                del Kept[Begin:]
    return "".join(Kept)


def ours(Trace):
    Definitions = {Kind: collections.Counter() for Kind in KINDS.values()}
    Lines = subprocess.run(
        ["instantrace-agreement", "--definitions", Trace],
        check=True,
        stdout=subprocess.PIPE,
    ).stdout.decode()
    for Line in Lines.splitlines():
        Kind, Name, _ = Line.split("\t")
        if Kind in KINDS:
            Name = without_parameters(without_arguments(Name))
            Definitions[KINDS[Kind]][Name] += 1
    return Definitions


def theirs(Path):
    Definitions = {Kind: collections.Counter() for Kind in KINDS.values()}
    with open(Path) as File:
        for Event in json.load(File)["traceEvents"]:
            if Event["name"] in Definitions and Event["ph"] != "M":
                Name = without_arguments(Event["args"]["detail"])
                Definitions[Event["name"]][without_parameters(Name)] += 1
    return Definitions


def main():
    Clang, Plugin, Scratch, Source, *Options = sys.argv[1:]
    # -ftime-trace=FILE exists from 16 on; beside the object it is everywhere.
    Command = [Clang, "-fplugin=" + Plugin, "-ftime-trace"]
    Command += ["-ftime-trace-granularity=0", "-c", Source, "-o", Scratch + ".o"]
    subprocess.run(Command + Options, check=True)
    Our, Their = ours(Scratch + ".itrace"), theirs(Scratch + ".json")
    os.remove(Scratch + ".json")  # tens of megabytes
    Failed = False
    for Kind in KINDS.values():
        Counts = sum(Our[Kind].values()), sum(Their[Kind].values())
        print("%s: %d by Instantrace, %d by -ftime-trace" % ((Kind,) + Counts))
        Failed |= Counts[0] != Counts[1] or Counts[0] == 0
        for Title, More in (
            ("more by Instantrace", Our[Kind] - Their[Kind]),
            ("more by -ftime-trace", Their[Kind] - Our[Kind]),
        ):
            for Name, Number in More.most_common(20):
                Failed = True
                print("  %s: %d of %s" % (Title, Number, Name))
    sys.exit(Failed)


main()
