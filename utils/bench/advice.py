#!/usr/bin/env python3
"""Applies advice to files of the corpus, and compares estimate and saving.

usage: advice.py [--rounds N] [--clang CLANG] [--only WORD] [--keep FOLDER]

An experiment takes a file of the corpus, makes a unit of it, asks `instantrace
advise` about the unit, and makes another file of it that does what was advised,
by replacing text that has to be there. Both are compiled without the plugin,
with -fsyntax-only, in rounds that go through all files of a unit in turn. What
is compared is shares of the whole: the estimate's of the traces' wall time, the
median of three, and the measured one of the medians of user and system time.
"""

import argparse
import datetime
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

from run import MAJORS

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(ROOT, "build", "bin", "instantrace")
PLUGIN = os.path.join(ROOT, "build", "lib", "instantrace", "libinstantrace.so")
CORPUS = os.path.join(os.path.dirname(ROOT), "shared", "corpus")
TRACES = 3

# Of each unit: the file, options, replacements that make the unit of it, and the
# experiments: kind, name of the suggestion, what was done, replacements.
UNITS = [
    ("sfinae_overloads.cpp", ["-std=c++20"], [], [
        ("enable-if", "fn", "a requires-clause", [
            ("template <class T, std::enable_if_t<T::value == N && (sizeof(T) > 0), int> = 0> auto fn",
             "template <class T> requires (T::value == N && (sizeof(T) > 0)) auto fn"),
        ]),
    ]),
    ("meta_recursive.cpp", ["-std=c++14", "-ftemplate-depth=2048"], [], [
        ("recursion", "prime_<$>", "a constexpr function with a loop", [
            ("template <int P, int D> struct prime_ {",
             "constexpr bool isPrime(int P, int D) { for (; D > 1; --D) if (P % D == 0) return false; return true; }\n"
             "template <int P, int D> struct prime_ {"),
            ("prime_<N, N / 2>::v", "isPrime(N, N / 2)"),
        ]),
        ("recursion", "tree<$>", "a constexpr function that calls itself", [
            ("template <class... T> struct list {};",
             "constexpr int nodes(int D) { return D == 0 ? 1 : 2 * nodes(D - 1) + 1; }\n"
             "template <class... T> struct list {};"),
            ("tree<15, 1>::v", "nodes(15)"),
        ]),
    ]),
    # Without its decompositions of dynamic matrices, and for two sizes: a third
    # of the time, for as many rounds.
    ("eigen_dense.cpp", ["-std=c++17", "-I/usr/include/eigen3"], [
        ("  MatrixXd M = MatrixXd::Random(40, 40);\n", ""),
        ("  VectorXd v = M.bdcSvd(ComputeThinU | ComputeThinV).solve(VectorXd::Ones(40));\n", ""),
        ("  SelfAdjointEigenSolver<MatrixXd> es(M * M.transpose());\n", ""),
        ("  ArrayXXd a = (M.array() * 2 + M.array().square().sqrt() - M.array().exp().log()).max(0.5);\n", ""),
        (" + run<4>() + run<6>() + v.sum() + es.eigenvalues().sum() + a.sum()", ""),
    ], [
        ("extern-template", "run<2>", "`extern template double run<2>();`", [
            ("double f() {", "extern template double run<2>();\ndouble f() {"),
        ]),
        ("extern-template", "run<3>", "`extern template double run<3>();`", [
            ("double f() {", "extern template double run<3>();\ndouble f() {"),
        ]),
    ]),
]


def replaced(Text, Replacements, File):
    for Old, New in Replacements:
        if Old not in Text:
            sys.exit("%s: found no text %r, expected it in order to replace it" % (File, Old))
        Text = Text.replace(Old, New)
    return Text


def written(Folder, Name, Text):
    Path = os.path.join(Folder, Name)
    with open(Path, "w", encoding="utf-8") as Out:
        Out.write(Text)
    return Path


def cpu(Clang, Flags, Path):
    """User and system time of a compile, in seconds."""
    Pid = os.posix_spawnp(Clang, [Clang, "-w", "-fsyntax-only"] + Flags + [Path], os.environ)
    _, Status, Usage = os.wait4(Pid, 0)
    if Status != 0:
        sys.exit("%s: does not compile" % Path)
    return Usage.ru_utime + Usage.ru_stime


def suggestions(Clang, Flags, Path):
    """Of each trace: (kind, name) -> (least, estimate, most) as shares."""
    Found = []
    for _ in range(TRACES):
        Trace = Path + ".itrace"
        subprocess.run([Clang, "-w", "-fsyntax-only", "-fplugin=" + PLUGIN,
                        "-fplugin-arg-instantrace-output=" + Trace] + Flags + [Path], check=True)
        Out = subprocess.run([TOOL, "advise", "--json", "-n", "0", "--min-share=0", Trace],
                             check=True, stdout=subprocess.PIPE).stdout
        Report = json.loads(Out)
        Total = Report["total_ns"]
        Found.append({(R["kind"], R["name"]): (R["least_ns"] / Total, R["saving_ns"] / Total, R["most_ns"] / Total)
                      for R in Report["rows"]})
    return Found


def percent(Share):
    return "%.1f %%" % (100 * Share)


def run(Unit, Opts, Folder):
    File, Flags, ToUnit, Experiments = Unit
    with open(os.path.join(CORPUS, File), encoding="utf-8") as In:
        Text = replaced(In.read(), ToUnit, File)
    Base = written(Folder, File, Text)
    Paths = [Base] + [
        written(Folder, re.sub(r"\W+", "-", "%s-%s" % (Kind, Name)) + File, replaced(Text, Changes, File))
        for Kind, Name, _, Changes in Experiments
    ]
    Advised = suggestions(Opts.clang, Flags, Base)
    Samples = [[] for _ in Paths]
    for Round in range(Opts.rounds):
        for At in range(len(Paths)):
            Index = (At + Round) % len(Paths)
            Samples[Index].append(cpu(Opts.clang, Flags, Paths[Index]))
    Before = statistics.median(Samples[0])
    for (Kind, Name, Done, _), Times in zip(Experiments, Samples[1:]):
        Shares = [A.get((Kind, Name)) for A in Advised]
        if None in Shares:
            sys.exit("%s: found no suggestion %s of %s" % (File, Kind, Name))
        Least, Estimate, Most = (statistics.median(S[I] for S in Shares) for I in range(3))
        After = statistics.median(Times)
        Saved = (Before - After) / Before
        print("| `%s` | %s `%s` | %s | %.2f (%.2f..%.2f) | %.2f (%.2f..%.2f) | %s (%s..%s) | %s | %+.1f |"
              % (File, Kind, Name, Done, Before, min(Samples[0]), max(Samples[0]), After, min(Times), max(Times),
                 percent(Estimate), percent(Least), percent(Most), percent(Saved), 100 * (Estimate - Saved)), flush=True)


def main():
    Parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    Parser.add_argument("--clang", default="clang++-%d" % MAJORS[-1])
    Parser.add_argument("--rounds", type=int, default=7)
    Parser.add_argument("--only", default="", help="units whose name has this in it")
    Parser.add_argument("--keep", help="leave the files here")
    Opts = Parser.parse_args()
    print("%s, %d rounds, %s, load %s\n" % (Opts.clang, Opts.rounds, datetime.date.today(),
                                           " ".join("%.1f" % L for L in os.getloadavg())))
    print("| unit | suggestion | done | CPU before, s | after, s | estimate (least..most) | measured | error, points |")
    print("|---|---|---|---:|---:|---:|---:|---:|", flush=True)
    with tempfile.TemporaryDirectory(prefix="instantrace-advice-") as Folder:
        if Opts.keep:
            os.makedirs(Opts.keep, exist_ok=True)
            Folder = Opts.keep
        for Unit in UNITS:
            if Opts.only in Unit[0]:
                run(Unit, Opts, Folder)


if __name__ == "__main__":
    main()
