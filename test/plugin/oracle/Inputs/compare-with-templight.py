"""Compares Instantrace's events with those of Clang's own -templight-dump.

usage: compare-with-templight.py [--differs OURS THEIRS]... CLANG PLUGIN SCRATCH
                                 SOURCE [CLANG-OPTION...]

Both sides compile SOURCE with -fsyntax-only. An event is (begin or end, kind,
name, point of instantiation); memoized hits, which we record as one instant,
are a begin and an end in Clang's dump. Names are equal because both print with
the context's policy and default template arguments; ours turns preferred names
(`std::string`) off as well. Prints the first difference with what is before
it, or the number of events that are equal. --differs gives a name that is
known to differ; it has to occur, and only as that pair. At the end of the
translation unit every name is compared with what Clang prints then, and none
may differ.
"""

import json
import os
import subprocess
import sys


def run(*Command):
    Result = subprocess.run(Command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return Result.returncode, Result.stdout.decode(), Result.stderr.decode()


def unquote(Scalar):
    if Scalar.startswith("'"):
        return Scalar[1:-1].replace("''", "'")
    if Scalar.startswith('"'):  # only text with control characters
        return json.loads(Scalar)
    return Scalar


def templight_events(Text):
    Document = {}
    for Line in Text.splitlines() + ["---"]:
        if Line != "---":
            Key, _, Scalar = Line.partition(":")
            Document[Key] = unquote(Scalar.strip())
        elif Document:
            yield (
                Document["event"].lower(),
                Document["kind"],
                Document["name"],
                Document["poi"],
            )
            Document = {}


def our_events(Text):
    for Line in Text.splitlines():
        Event = json.loads(Line)
        if Event["event"] == "count" or Event["kind"] in (
            "FileInclusion",
            "Frontend",
            "Parsing",
            "PendingInstantiations",
            "CodeGeneration",
            "Profiling",
        ):
            continue
        Location = ""
        if Event["file"]:
            Location = "%s:%d:%d" % (Event["file"], Event["line"], Event["column"])
        Steps = ("begin", "end") if Event["event"] == "instant" else (Event["event"],)
        for Step in Steps:
            yield (Step, Event["kind"], Event["name"], Location)


def main():
    Arguments, Known = sys.argv[1:], {}
    while Arguments[0] == "--differs":
        Known[Arguments[1]] = Arguments[2]
        Arguments = Arguments[3:]
    Met = set()
    Clang, Plugin, Scratch, *Rest = Arguments
    Trace, Names = Scratch + ".itrace", Scratch + ".names"
    if os.path.exists(Names):
        os.remove(Names)  # they are appended
    OurCode, _, OurErrors = run(
        Clang,
        "-fplugin=" + Plugin,
        "-fplugin-arg-instantrace-memoization=events",
        "-fplugin-arg-instantrace-output=" + Trace,
        "-fplugin-arg-instantrace-check-names=" + Names,
        "-fsyntax-only",
        *Rest,
    )
    TheirCode, Dump, TheirErrors = run(
        Clang, "-Xclang", "-templight-dump", "-fsyntax-only", *Rest
    )
    if OurCode != 0 or TheirCode != 0:
        sys.exit(
            "Instantrace: exit %d\n%s\n-templight-dump: exit %d\n%s"
            % (OurCode, OurErrors, TheirCode, TheirErrors)
        )
    with open(Names) as File:
        Report = File.read()
    if " 0 differences" not in Report.splitlines()[-1]:
        sys.exit(Report)
    DumpCode, Json, Errors = run("instantrace", "dump", "--format=json", Trace)
    if DumpCode != 0:
        sys.exit(Errors)
    Theirs, Ours = list(templight_events(Dump)), list(our_events(Json))
    for At in range(max(len(Theirs), len(Ours))):
        Their = Theirs[At] if At < len(Theirs) else ()
        Our = Ours[At] if At < len(Ours) else ()
        if Their != Our and len(Our) == len(Their) and Our[2] in Known:
            if Our[:2] + (Known[Our[2]],) + Our[3:] == Their:
                Met.add(Our[2])
                continue
        if Their != Our:
            for Index in range(max(0, At - 8), At):
                print("  %6d  %s" % (Index, " ".join(Ours[Index])))
            print("event %d differs" % At)
            print("  Instantrace:     %s" % (Our,))
            print("  -templight-dump: %s" % (Their,))
            sys.exit(1)
    if Met != set(Known):
        sys.exit("no difference: %s" % sorted(set(Known) - Met))
    if not Theirs:
        sys.exit("no events: nothing was compared")
    print("%d events are equal" % len(Theirs))


main()
