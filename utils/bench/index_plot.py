#!/usr/bin/env python3
"""Pictures of what an index costs over its size.

usage: instantrace-bench-index | index_plot.py FOLDER

Passes the table of the standard input on, and writes index-lookups.svg (look-ups a
second, of the index, of searches of plain arrays, and of a walk) and index-costs.svg
(opening, building, and size) into FOLDER.
"""

import os
import sys

import names_plot


def columns(Lines):
    """Of a table, by head of a column: (intervals, value) of each row."""
    Rows = [[Cell.strip() for Cell in Line.strip().strip("|").split("|")] for Line in Lines]
    if len(Rows) < 4:
        sys.exit("found %d lines of a table, expected two rows at least" % len(Rows))
    Heads, Values = Rows[0], [[float(Cell) for Cell in Row] for Row in Rows[2:]]
    return {Head: [(Row[0], Row[At]) for Row in Values] for At, Head in enumerate(Heads)}


def curve(Columns, Head, Factor=1.0, Name=None):
    return names_plot.Curve(Name or Head.split(",")[0], [(X, Y * Factor) for X, Y in Columns[Head]])


def pictures(Columns):
    """File name and picture."""
    Mega = 1e6
    Lookups = [
        curve(Columns, "records, M/s", Mega, "innermost record"),
        curve(Columns, "stacks, M/s", Mega, "whole stack"),
        curve(Columns, "plain search, M/s", Mega, "binary search of an array"),
        curve(Columns, "Eytzinger, M/s", Mega, "Eytzinger of an array"),
        curve(Columns, "linear walk, M/s", Mega, "linear walk"),
    ]
    yield "index-lookups.svg", names_plot.picture([("Look-ups a second", "intervals", Lookups)])
    Making = [
        curve(Columns, "build, ns per boundary", Name="build"),
        curve(Columns, "finish, ns per boundary", Name="finish"),
    ]
    yield "index-costs.svg", names_plot.picture([
        ("Opening, µs", "intervals", [curve(Columns, "open, µs", Name="open")]),
        ("Making, ns per boundary", "intervals", Making),
        ("Bytes per interval", "intervals", [curve(Columns, "bytes per interval")]),
    ])


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    Lines = []
    for Line in sys.stdin:
        sys.stdout.write(Line)
        sys.stdout.flush()
        Lines.append(Line)
    for Name, Picture in pictures(columns([Line for Line in Lines if Line.startswith("|")])):
        with open(os.path.join(sys.argv[1], Name), "w", encoding="utf-8") as Out:
            Out.write(Picture)


if __name__ == "__main__":
    main()
