#!/usr/bin/env python3
"""Finds names that mean something on one machine only.

usage: machine-names.py ROOT

Every tracked file (or every file, where ROOT is no git checkout) is searched
for home and scratch folders and for the hosts of package registries: what the
repository needs, it names by package, and where things are, the caller says.
"""

import os
import re
import subprocess
import sys

# Written so that this file does not find itself.
SLASH = "/"
PATTERNS = [
    SLASH + r"(work|root|home|Users)" + SLASH + r"[\w.]",
    SLASH + r"tmp" + SLASH + r"[\w.]",
    SLASH + r"(work|root)\b(?!-)(?=[\s:\"'`)]|$)",
    r"\b(deb|archive|security)\." + r"(debian|ubuntu)\.",
    r"\b(registry\." + r"npmjs|pypi\.(?=org)|files\.python" + r"hosted|crates\.(?=io)|proxy\.(?=golang))",
]
WRONG = re.compile("|".join("(?:%s)" % P for P in PATTERNS))


def files(Root):
    Git = ["git", "-c", "safe.directory=*", "-C", Root, "ls-files", "-z"]
    Found = subprocess.run(Git, capture_output=True)
    if Found.returncode == 0 and Found.stdout:
        return [N for N in Found.stdout.decode().split("\0") if N]
    return [
        os.path.relpath(os.path.join(Folder, Name), Root)
        for Folder, _, Names in os.walk(Root)
        for Name in Names
    ]


def main(Root):
    Found = Files = 0
    for Name in sorted(files(Root)):
        Path = os.path.join(Root, Name)
        if not os.path.isfile(Path):
            continue
        Files += 1
        with open(Path, encoding="latin-1") as Source:
            for LineNo, Line in enumerate(Source, 1):
                Match = WRONG.search(Line)
                if Match:
                    print("%s:%d: %s" % (Name, LineNo, Match.group()))
                    Found += 1
    print("%d files read, %d names of one machine" % (Files, Found))
    return 1 if Found or not Files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
