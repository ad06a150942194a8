"""Builds of a repository over twenty commits, and all that may be asked of them."""

import json
import os

from stored import HEADER, check, commit, run, session, write

AUTHORS = ("Ann", "Ben", "O'Brien \\", "'); DROP TABLE builds; --")
BUDGET = "builds.budget"  # a file beside the sessions, of bounds
UNITS = (b"a.cpp", b"b.cpp", b"it's\\ a \xff.cpp")


def builds(Folder, Clang, Count):
    """Sessions of so many commits, of two branches and two machines."""
    os.makedirs(Folder)
    Back = os.getcwd()
    os.chdir(Folder)
    run("git", "init", "-q", "-b", "main", ".")
    write(".gitignore", "*.o\n")
    Sessions = []
    for I in range(Count):
        if I == Count // 2:
            run("git", "checkout", "-q", "-b", "it's")
        write("sum.h", HEADER + "constexpr int N = %d;\ntemplate <class T> struct Box { T Value; };\n" % (10 + 7 * (I // 5)))
        for J, Unit in enumerate(UNITS[: 2 + I % 2]):
            with open(Unit, "wb") as File:
                File.write(b'#include "sum.h"\nint f() { return sum<N + %d>(); }\nBox<int[%d]> X;\n' % (J, I % 3 + 1))
        with open("build.sh", "wb") as File:
            for Unit in UNITS[: 2 + I % 2]:
                File.write(b'%s -c "%s" -o x.o\n' % (Clang.encode(), Unit.replace(b"\\", b"\\\\")))
            if I % 7 == 6:  # as of two targets
                File.write(b"%s -c a.cpp -o y.o\n" % Clang.encode())
        commit(AUTHORS[I % 4], "commit %d" % I)
        Name = "../session%d" % I
        Done = run("instantrace", "record", "-q", "-o", Name, "--", "sh", "build.sh", "it's \\ '); DROP TABLE builds; --")
        check(Done.returncode == 0, Done.stderr)
        Facts = session(Name)
        # So far apart that moments between them can be named.
        Facts["begun_realtime_ns"] = (1_790_000_000 + I * 86400) * 10**9 + I
        if I % 3 == 0:
            Facts["machine"].update(host="other'host", cpus=64)
        if I in (7, 8):
            Facts["git"]["commit"] = "feedbeef%d" % I
        with open(Name + "/session.json", "w") as File:
            json.dump(Facts, File)
        Sessions.append(os.path.abspath(Name))
    os.chdir(Back)
    write(BUDGET, "# What a build may cost.\ncount <= 90\n\ncount(^sum<) <= 40\nself(glob:Box*) <= 1ns\nast > 1GB\ntime < 1000s\n")
    return Sessions


def questions(Builds):
    """Every question, with every option that it has."""
    Chosen = [[], ["--since=2026-09-25"], ["--until=2026-09-29T12:00"], ["--branch=main"], ["--branch=it's"],
              ["--machine=other'host"], ["--clang=clang"], ["--clang=no ' such"], ["-n", "3"]]
    for Each in "hottest", "slowest", "duplicates", "machines", "blame", "regression":
        for More in Chosen:
            yield [Each, *More]
    for By in "header", "library", "specialization":
        yield ["hottest", "--by=" + By]
        yield ["trend", "--by=" + By, "--name=sum<10>"]
    yield ["trend", "--by=header", "--name=sum.h"]
    for Name in "sum<$>", "Box<$>", "(parsing)", "no ' such \\", "x'); DROP TABLE names; --":
        yield ["trend", "--name=" + Name]
        yield ["trend", "--name=" + Name, "--branch=main", "-n", "4"]
    for Budget in ("count <= 20", "count(^sum<) <= 40", "count(glob:*'*) > 0", "memoized < 1", "ast > 1GB", "self >= 1s",
                   "time < 1ms", "memory <= 1MB", "frontend > 1s", "optimize > 1s", "generate > 1s", "bytes > 1GB", "self(glob:Box*) <= 1ns"):
        yield ["budget", "--budget=" + Budget]
    yield ["budget", "--budget=count > 1000000", "--until=2026-09-29", "-n", "2"]
    yield ["budget", "--budget=" + BUDGET]
    yield ["budget", "--budget=" + BUDGET, "--branch=main", "-n", "2"]
    Last = Builds[-1]["commit_id"]
    for Metric in "memoized", "ast", "bytes", "self", "time":
        yield ["regression", "--metric=" + Metric]
        yield ["regression", "--metric=" + Metric, "--name=sum<$>"]
    yield ["regression", "--metric=memory"]
    yield ["regression", "--name=sum.h", "--by=header"]
    yield ["regression", "--name=no ' such", "--branch=main"]
    for Base, Head in (("#2", "#7"), ("#7", "#2"), ("#3", "#3"), ("main", "it's"), ("2026-09-25", Last[:9]), ("#1", Last)):
        yield ["regression", "--base=" + Base, "--head=" + Head]
    for Option in "--branch=main", "--branch=it's", "--machine=other'host", "--until=2026-09-29T12:00":
        for Base in "2026-09-25", "main", Last[:9], "#2":
            yield ["regression", Option, "--base=" + Base]
    # The begin of one commit, and of two.
    yield ["regression", "--base=#1", "--head=feedbeef8"]
    yield ["regression", "--base=#1", "--head=feedbeef"]


def fewer(Questions):
    """A third of them, and each that reads other columns: those left out differ in filters."""
    return [Q for I, Q in enumerate(Questions) if I % 3 == 0 or any(Word.startswith(("--by", "--metric")) for Word in Q)]
