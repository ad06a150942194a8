"""What the checks of proto/*.md against the code share."""

import os
import re


def read(Root, Name):
    with open(os.path.join(Root, Name), encoding="utf-8") as File:
        return File.read()


def section(Document, Title):
    Match = re.search(r"^## %s\n(.*?)(?=^## |\Z)" % re.escape(Title), Document, re.M | re.S)
    return Match.group(1) if Match else ""


def table(Text):
    """Rows below the line of dashes, as lists of cells."""
    Rows = [L.strip()[1:-1].split("|") for L in Text.splitlines() if L.startswith("|")]
    Rows = [[C.strip().strip("`") for C in Row] for Row in Rows]
    return [R for R in Rows[1:] if not set("".join(R)) <= set("-: ")]


def report(Checks, *Read):
    """Prints what each check finds in what was read; the exit status of that."""
    Found = [Problem for Check in Checks for Problem in Check(*Read)]
    for Problem in Found:
        print(Problem)
    print("%d disagreements" % len(Found))
    return 1 if Found else 0
