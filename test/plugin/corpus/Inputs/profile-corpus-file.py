"""Profiles one translation unit and checks what must hold for every trace.

Usage: profile-corpus-file.py CLANG++ PLUGIN FILE SCRATCH [--fails]

 * the compile ends as it does without the plugin (with --fails: with an error)
 * `instantrace verify` accepts the trace: begin and end balance, and the rest
 * self times of all rows add up to total_ns exactly, for every --by
 * names equal what Clang prints, for every entity
"""

import json
import os
import re
import subprocess
import sys

Clang, Plugin, Source, Scratch = sys.argv[1:5]
Fails = "--fails" in sys.argv[5:]


def fail(Text):
    sys.exit("%s: %s" % (os.path.basename(Source), Text))


os.makedirs(Scratch, exist_ok=True)
Trace = os.path.join(Scratch, "x.itrace")
Names = os.path.join(Scratch, "names.txt")
for Path in (Trace, Names):
    if os.path.exists(Path):
        os.remove(Path)

with open(Source, encoding="utf-8") as File:
    Standard = re.search(r"std: (\S+)", File.readline())
Command = [Clang, "-std=" + (Standard.group(1) if Standard else "c++17"), "-w"]
Command += ["-fsyntax-only", "-I/usr/include/eigen3", "-fconstexpr-steps=100000000"]
Command += ["-fplugin=" + Plugin, "-fplugin-arg-instantrace-output=" + Trace]
Command += ["-fplugin-arg-instantrace-check-names=" + Names, Source]
Compile = subprocess.run(Command, capture_output=True, text=True, errors="replace")
if (Compile.returncode == 1) != Fails or Compile.returncode not in (0, 1):
    fail("exit code %d\n%s" % (Compile.returncode, Compile.stderr[-2000:]))
if not Fails and Compile.stdout + Compile.stderr:
    fail("unexpected output\n" + (Compile.stdout + Compile.stderr)[-2000:])
if not os.path.exists(Trace):
    fail("no trace")

Verify = subprocess.run(["instantrace", "verify", Trace], capture_output=True, text=True)
if Verify.returncode != 0:
    fail("verify: " + Verify.stdout + Verify.stderr)

for By in ("template", "instantiation", "kind", "file"):
    Summary = subprocess.run(
        ["instantrace", "summary", "--json", "-n", "0", "--by=" + By, Trace],
        capture_output=True,
        check=True,
    )
    Data = json.loads(Summary.stdout)
    Sum = sum(Row["self_ns"] for Row in Data["rows"])
    if Data["incomplete"] or Sum != Data["total_ns"] or Sum == 0:
        fail("--by=%s: self times sum to %d ns of %d ns" % (By, Sum, Data["total_ns"]))

with open(Names, encoding="utf-8", errors="replace") as File:
    Lines = File.read().splitlines()
Last = re.match(r"(\d+) entities, (\d+) differences", Lines[-1])
if not Last or Last.group(2) != "0":
    fail("names: %s\n%s" % (Lines[-1], "\n".join(Line[:2000] for Line in Lines[:5])))

os.remove(Trace)
print("%s: %s" % (os.path.basename(Source), Verify.stdout.strip().split(": ", 1)[1]))
