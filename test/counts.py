#!/usr/bin/env python3
"""Adds up the results of test suites and closes on `N passed, N failed`.

usage: counts.py [--absent=WHAT...] RESULT-FILE...

Each file is what lit (--output) or GoogleTest (--gtest_output=json:) wrote for
one suite. A file that is missing or unreadable is a suite that did not run,
and one without a single test that ran is one as well: each counts as one
failure. A test that is unsupported here is shown, with the reason that lit gives,
and counts as neither. WHAT could not be had on this machine, which the last line says.
Exits with 1 when anything failed.
"""

import collections
import json
import os
import sys

PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
SKIPPED = {"UNSUPPORTED", "EXCLUDED", "SKIPPED"}
SLOWEST = 15
# The last lines of a failed test's output are shown: the reason is among them.
FAILED_LINES = 20


def lit_results(Data):
    for Test in Data["tests"]:
        yield Test["name"], Test["code"]


def gtest_results(Data):
    for Suite in Data["testsuites"]:
        for Test in Suite["testsuite"]:
            Name = Suite["name"] + "." + Test["name"]
            if Test.get("failures"):
                yield Name, "FAIL"
            elif Test.get("result") == "SKIPPED" or Test["status"] != "RUN":
                yield Name, "SKIPPED"
            elif Test.get("result") != "COMPLETED":
                yield Name, "FAIL"
            else:
                yield Name, "PASS"


def reasons(Data):
    """Why lit left tests out, each reason with the number of tests."""
    Found = collections.Counter()
    # GoogleTest writes a number there.
    for Test in Data["tests"] if "testsuites" not in Data else ():
        if Test["code"] == "UNSUPPORTED" and Test.get("output"):
            Found[" ".join(Test["output"].split())] += 1
    return sorted(Found.items())


def seconds(Data):
    """Pairs (seconds, name) of each test."""
    for Test in Data.get("tests", ()) if "testsuites" not in Data else ():
        yield float(Test.get("elapsed") or 0), Test["name"]
    for Suite in Data.get("testsuites", ()):
        for Test in Suite["testsuite"]:
            yield float(Test.get("time", "0s").rstrip("s")), Suite["name"] + "." + Test["name"]


def outputs(Data):
    """What each test printed, by its name."""
    Printed = {Test["name"]: Test.get("output") or "" for Test in Data.get("tests", ()) if "testsuites" not in Data}
    for Suite in Data.get("testsuites", ()):
        for Test in Suite["testsuite"]:
            Failures = [Failure.get("failure", "") for Failure in Test.get("failures", ())]
            Printed[Suite["name"] + "." + Test["name"]] = "\n".join(Failures)
    return Printed


def read_results(Path):
    """Pairs (name, code) of one suite, why tests were left out, how long each took, and what
    it printed; raises OSError, ValueError or KeyError."""
    with open(Path, encoding="utf-8", errors="replace") as File:
        Data = json.load(File)
    Results = list((gtest_results if "testsuites" in Data else lit_results)(Data))
    return Results, reasons(Data), list(seconds(Data)), outputs(Data)


def main(Arguments):
    Absent = [A.split("=", 1)[1] for A in Arguments if A.startswith("--absent=")]
    Paths = [A for A in Arguments if not A.startswith("--absent=")]
    Passed = Failed = 0
    Times, Failures = [], []
    for Path in Paths:
        Suite = os.path.splitext(os.path.basename(Path))[0]
        try:
            Results, LeftOut, Seconds, Printed = read_results(Path)
        except (OSError, ValueError, KeyError, TypeError) as Reason:
            print("%-24s did not run: %s" % (Suite, Reason))
            Failed += 1
            continue
        Times += [(Took, Suite, Name.split(" :: ")[-1]) for Took, Name in Seconds if Took]
        Good = [N for N, Code in Results if Code in PASSED]
        Skipped = [N for N, Code in Results if Code in SKIPPED]
        Bad = [(N, C) for N, C in Results if C not in PASSED and C not in SKIPPED]
        Line = "%-24s %5d passed %5d failed" % (Suite, len(Good), len(Bad))
        print(Line + (" %5d unsupported" % len(Skipped) if Skipped else ""))
        for Reason, Count in LeftOut:
            print("  %d unsupported: %s" % (Count, Reason))
        Failures += [("%s: %s: %s" % (Code, Suite, Name), Printed[Name]) for Name, Code in Bad]
        if not Good and not Bad:
            print("  no test ran, which counts as a failure")
            Failed += 1
        Passed += len(Good)
        Failed += len(Bad)
    if Times:
        print("the slowest tests, beside others, in seconds:")
    for Took, Suite, Name in sorted(Times, reverse=True)[:SLOWEST]:
        print("  %5.0f %s: %s" % (Took, Suite, Name))
    # Last, since whoever shortens a long output keeps its end.
    for Title, Output in Failures:
        print(Title)
        for Text in Output.rstrip().splitlines()[-FAILED_LINES:]:
            print("    " + Text[:300])
    if not Paths:
        print("no suite was named")
        Failed += 1
    Missing = "".join(", not tested: " + What for What in Absent)
    print("%d passed, %d failed%s" % (Passed, Failed, Missing))
    return 1 if Failed or not Passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
