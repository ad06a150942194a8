#!/usr/bin/env python3
"""Prints what the first ten commands show of a trace or a session, at 80 and 120 columns.

usage: transcripts.py [--check] TRACE NAME

NAME is what `why` asks about. --check prints nothing but what
is wrong: a command that fails, a line that is too long, two rows of a table that read
alike, an id in place of what it stands for. Times are not looked at.
"""

import os
import re
import subprocess
import sys

WIDTHS = (80, 120)
# A name has 20 columns at least, whatever the numbers before it take.
MOST_BEYOND = 10
IDS = re.compile(r"<(?:location|entity) \d+>|\(folded\)")


def commands(Trace, Name):
    return (
        ["summary", Trace],
        ["summary", "--by=template", "-n", "10", Trace],
        ["summary", "--by=user-frame", "-n", "10", Trace],
        ["advise", "-n", "3", Trace],
        ["advise", "-v", "-n", "1", Trace],
        ["why", "-n", "3", Trace, Name],
        ["tree", "-n", "15", Trace],
        ["headers", "-n", "8", Trace],
        ["summary", "--by=header", "-n", "5", Trace],
        ["diff", Trace, Trace],
    )


def names(Lines):
    """Of the rows of the first table: what stands behind the last number."""
    Head = next((I for I, L in enumerate(Lines) if re.match(r" +(?:self|inclusive) ", L)), None)
    for Line in Lines[Head + 1 :] if Head is not None else ():
        if not Line:
            return
        yield re.sub(r"^(?: *[\d.,]+(?: (?:ns|µs|ms|s|B|kB|MB))?)+ +", "", Line)


def wrong(Words, Width, Code, Text):
    Lines = Text.splitlines()
    if Code != 0:
        yield "exit code %d" % Code
    if Words[0] != "advise":  # lines to write stay as they are, and so do paths of inputs
        yield from ("too long: " + L for L in Lines if len(L) > Width + MOST_BEYOND and "/" not in L)
    yield from ("no name: " + L for L in Lines if IDS.search(L))
    if Words[0] == "summary":
        Rows = list(names(Lines))
        yield from ("twice: " + R for R in sorted({R for R in Rows if Rows.count(R) > 1}))


def main(Check, *Arguments):
    Problems = 0
    for Width in WIDTHS:
        for Words in commands(*Arguments):
            Env = dict(os.environ, COLUMNS=str(Width), NO_COLOR="1")
            Run = subprocess.run(["instantrace", *Words], env=Env, stdout=subprocess.PIPE, text=True)
            if not Check:
                print("$ instantrace " + " ".join(Words) + "\n" + Run.stdout)
                continue
            for Problem in wrong(Words, Width, Run.returncode, Run.stdout):
                print("%d columns: %s: %s" % (Width, " ".join(Words), Problem))
                Problems += 1
    if Check:
        print("%d problems" % Problems)
    return 1 if Problems else 0


if __name__ == "__main__":
    Given = sys.argv[1:]
    Check = "--check" in Given
    sys.exit(main(Check, *(G for G in Given if G != "--check")))
