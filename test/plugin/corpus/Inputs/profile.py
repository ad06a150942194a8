"""Profiles one real translation unit and checks everything about the trace.

usage: profile.py SOURCE-ROOT CLANG PLUGIN SCRATCH SOURCE [--fails]

The first line of SOURCE gives its options: `std: c++17`, `inc: FOLDER`. One
compile (-fsyntax-only, which does all template work) has to succeed, or to fail
with --fails, and to give a trace for which these hold:
  * `instantrace verify` accepts it: begins and ends match, among all else
  * libprotobuf and our reader agree on it, and protoc decodes it
  * every entity's built name is what Clang prints (check-names)
  * for --by=template, instantiation, kind and file the self times of all rows
    add up to total_ns exactly, and so do their counts to the same number for
    template, instantiation and kind
  * 1 % of the time at most (10 ms of less than a second) is neither parsing of a file or line, nor a constant, a template,
    code or the profiler; what the thread waited is all that --clock=wall adds
  * with the newest Clang, all that test/invariants.py checks: it is the same
    tool that looks at the traces of the others, and at those of more than 6 MB, of
    which each question takes seconds
Prints what took how long.
"""

import json
import os
import re
import subprocess
import sys
import time

STEPS = []


def run(*Command, Codes=(0,)):
    Start = time.monotonic()
    Result = subprocess.run(Command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    Step = os.path.basename(Command[0]) + " " + Command[1]
    STEPS.append("%s %.1f s" % (Step[:40], time.monotonic() - Start))
    if Result.returncode not in Codes:
        sys.exit(
            "%s: exit %d\n%s%s"
            % (
                " ".join(Command),
                Result.returncode,
                Result.stdout.decode(errors="replace")[-3000:],
                Result.stderr.decode(errors="replace")[-3000:],
            )
        )
    return Result.stdout


def options(Source):
    with open(Source) as File:
        First = File.readline()
    Options = ["-std=" + re.search(r"std: (\S+)", First).group(1), "-w"]
    Include = re.search(r"inc: (\S+)", First)
    if Include:
        Options.append("-I" + Include.group(1))
    if "constexpr evaluation heavy" in First:
        Options.append("-fconstexpr-steps=100000000")
    return Options


def summary(Trace, By, *More):
    return json.loads(run("instantrace", "summary", "--by=" + By, "--json", "-n", "0", *More, Trace))


def check_parts(Trace):
    By = summary(Trace, "kind")
    Ns = {Row["name"]: Row["self_ns"] for Row in By["rows"]}
    Rest = sum(Ns.get(Name, 0) for Name in ("Frontend", "Parsing", "PendingInstantiations", "(filtered)"))
    print("not attributed: %.2f of %.0f ms" % (Rest / 1e6, By["total_ns"] / 1e6))
    # A compile of less than a second has as much to begin and to end.
    if Rest > max(By["total_ns"] / 100, 10e6):
        sys.exit("not attributed: %d of %d ns: %s" % (Rest, By["total_ns"], Ns))
    Wall = summary(Trace, "kind", "--clock=wall")
    WallNs = sum(Row["self_ns"] for Row in Wall["rows"])
    if WallNs != Wall["total_ns"] or WallNs < By["total_ns"]:
        sys.exit("by the wall: %d ns in rows, %d in all, %d without waiting" % (WallNs, Wall["total_ns"], By["total_ns"]))


def check_names(Path):
    with open(Path, errors="replace") as File:
        Lines = File.read().splitlines()
    Found = re.fullmatch(r"(\d+) entities, (\d+) differences", Lines[-1])
    if not Found or int(Found.group(1)) == 0 or int(Found.group(2)) != 0:
        sys.exit("names:\n%s" % "\n".join(Line[:600] for Line in Lines[-6:]))
    print(Lines[-1])


def check_sums(Trace):
    Counts = set()
    for By in ("template", "instantiation", "kind", "file"):
        Summary = summary(Trace, By)
        Sum = sum(Row["self_ns"] for Row in Summary["rows"])
        if Sum != Summary["total_ns"] or Sum == 0:
            sys.exit(
                "--by=%s: self times add up to %d ns, total_ns is %d"
                % (By, Sum, Summary["total_ns"])
            )
        if Summary["incomplete"]:
            sys.exit("--by=%s: the trace is incomplete" % By)
        if By != "file":
            Counts.add(sum(Row["count"] for Row in Summary["rows"]))
    if len(Counts) != 1:
        sys.exit("counts by template, instantiation and kind: %s" % Counts)


def is_newest(Clang):
    Majors = re.findall(r"\d+", run("instantrace", "--version").decode().rpartition("\nclang ")[2])
    Own = re.search(r"version (\d+)", run(Clang, "--version").decode()).group(1)
    return Own == Majors[-1]


def main():
    Root, Clang, Plugin, Scratch, Source, *Flags = sys.argv[1:]
    Trace, Names = Scratch + ".itrace", Scratch + ".names"
    for Old in (Trace, Names):
        if os.path.exists(Old):
            os.remove(Old)
    run(
        Clang,
        "-fsyntax-only",
        "-fplugin=" + Plugin,
        "-fplugin-arg-instantrace-output=" + Trace,
        "-fplugin-arg-instantrace-check-names=" + Names,
        Source,
        *options(Source),
        Codes=(1,) if "--fails" in Flags else (0,),
    )
    run("instantrace", "verify", Trace)
    run("instantrace-agreement", Trace)
    with open(Trace, "rb") as File:
        Decode = ["protoc", "--decode=instantrace.proto.Trace"]
        Decode += ["-I" + os.path.join(Root, "proto"), "trace.proto"]
        subprocess.run(Decode, check=True, stdin=File, stdout=subprocess.DEVNULL)
    check_names(Names)
    check_sums(Trace)
    check_parts(Trace)
    if is_newest(Clang) and os.path.getsize(Trace) <= 6_000_000:
        run(sys.executable, os.path.join(Root, "test", "invariants.py"), Trace)
    print("%d bytes; %s" % (os.path.getsize(Trace), "; ".join(STEPS)))


main()
