"""Compares what two hooks record of one file: same-events.py CLANG PLUGIN FOLDER FILE."""

import os
import re
import subprocess
import sys

Clang, Plugin, Folder, File = sys.argv[1:]


def events(Hook):
    Trace = os.path.join(Folder, Hook + ".itrace")
    Options = ["hook=" + Hook, "output=" + Trace, "memoization=off"]
    subprocess.run(
        [Clang, "-std=c++17", "-fplugin=" + Plugin, "-fsyntax-only", File]
        + ["-fplugin-arg-instantrace-" + O for O in Options],
        check=True,
    )
    Dump = subprocess.run(["instantrace", "dump", Trace], check=True, stdout=subprocess.PIPE, text=True)
    # When names are due depends on what was met, and so on nothing else.
    return [re.sub(" requested by .*", "", Line) for Line in Dump.stdout.splitlines()]


Callback, Probes = events("callback"), events("probes")
if len(Callback) < 50:
    sys.exit("%d events are too few to say something" % len(Callback))
for One, Other in zip(Callback, Probes):
    if One != Other:
        sys.exit("callback: %s\nprobes:   %s" % (One, Other))
if len(Callback) != len(Probes):
    sys.exit("callback: %d events, probes: %d" % (len(Callback), len(Probes)))
