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


def lit_tests(Data):
    for Test in Data["tests"]:
        yield Test["name"], Test["code"], float(Test.get("elapsed") or 0), Test.get("output") or ""


def gtest_tests(Data):
    for Suite in Data["testsuites"]:
        for Test in Suite["testsuite"]:
            Failures = "\n".join(Failure.get("failure", "") for Failure in Test.get("failures", ()))
            if Failures:
                Code = "FAIL"
            elif Test.get("result") == "SKIPPED" or Test["status"] != "RUN":
                Code = "SKIPPED"
            else:
                Code = "PASS" if Test.get("result") == "COMPLETED" else "FAIL"
            yield Suite["name"] + "." + Test["name"], Code, float(Test.get("time", "0s").rstrip("s")), Failures


def read_results(Path):
    """Tuples (name, code, seconds, what it printed); raises OSError, ValueError, KeyError
    or TypeError."""
    with open(Path, encoding="utf-8", errors="replace") as File:
        Data = json.load(File)
    return list((gtest_tests if "testsuites" in Data else lit_tests)(Data))


def main(Arguments):
    Absent = [A.split("=", 1)[1] for A in Arguments if A.startswith("--absent=")]
    Paths = [A for A in Arguments if not A.startswith("--absent=")]
    Passed = Failed = 0
    Times, Failures = [], []
    for Path in Paths:
        Suite = os.path.splitext(os.path.basename(Path))[0]
        try:
            Tests = read_results(Path)
        except (OSError, ValueError, KeyError, TypeError) as Reason:
            print("%-24s did not run: %s" % (Suite, Reason))
            Failed += 1
            continue
        Times += [(Took, Suite, Name.split(" :: ")[-1]) for Name, _, Took, _ in Tests if Took]
        Good = [Test for Test in Tests if Test[1] in PASSED]
        Skipped = [Test for Test in Tests if Test[1] in SKIPPED]
        Bad = [Test for Test in Tests if Test[1] not in PASSED | SKIPPED]
        Line = "%-24s %5d passed %5d failed" % (Suite, len(Good), len(Bad))
        print(Line + (" %5d unsupported" % len(Skipped) if Skipped else ""))
        # lit says why it left a test out.
        Reasons = collections.Counter(" ".join(Output.split()) for _, Code, _, Output in Tests if Code == "UNSUPPORTED")
        for Reason, Count in sorted(Reasons.items()):
            print("  %d unsupported: %s" % (Count, Reason or "no reason"))
        Failures += [("%s: %s: %s" % (Code, Suite, Name), Output) for Name, Code, _, Output in Bad]
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
