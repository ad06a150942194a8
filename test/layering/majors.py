#!/usr/bin/env python3
"""Finds lists of the Clang majors outside of plugin/clang-majors.txt.

usage: majors.py ROOT

A list is four or more of them in order, however they are separated. Documents have to say the list, and documents.py compares
them with the file; a test in this folder plants a list.
"""

import os
import re
import subprocess
import sys

HOME = "plugin/clang-majors.txt"


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
    with open(os.path.join(Root, HOME)) as File:
        Majors = re.findall(r"^\d+", File.read(), re.M)
    Between = r"[^\w\n]{1,4}(?:and |or )?"
    Lists = [Between.join(Majors[I : I + 4]) for I in range(len(Majors) - 3)]
    Wrong = re.compile(r"(?<![\w.])(?:%s)(?!\w|\.\d)" % "|".join(Lists))
    Read = Found = 0
    for Name in sorted(files(Root)):
        Path = os.path.join(Root, Name)
        if Name == HOME or Name.endswith(".md") or not os.path.isfile(Path):
            continue
        if Name.startswith("test/layering/") or "/corpus/" in Name:
            continue
        Read += 1
        with open(Path, encoding="latin-1") as File:
            for LineNo, Line in enumerate(File, 1):
                Match = Wrong.search(Line)
                if Match:
                    print("%s:%d: lists the Clang majors: %s" % (Name, LineNo, Match.group()))
                    Found += 1
    print("%d majors, %d files read, %d lists" % (len(Majors), Read, Found))
    return 1 if Found or not Read or len(Majors) < 4 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
