#!/usr/bin/env python3
"""Applies advice to files of the corpus, and compares estimate and saving.

usage: advice.py [--rounds N] [--clang CLANG] [--only WORD] [--keep FOLDER] [--instructions]

An experiment takes a file of the corpus, makes a unit of it, asks `instantrace
advise` about the unit, and makes another file of it that does what was advised,
by replacing text that has to be there, in the file or in headers of a library that
it has a copy of, so that they are the user's own. Both are compiled without the plugin,
with -fsyntax-only or optimized, in rounds that go through all files of a unit in turn.
What is compared is shares of the whole: the estimate's of the traces' wall time, the
median of three, and the measured one of the medians of user and system time. With
--instructions, callgrind's count of one compile each is in the place of that time.
"""

import argparse
import datetime
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

import callgrind
from run import MAJORS, cpu, environment

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(ROOT, "build", "bin", "instantrace")
PLUGIN = os.path.join(ROOT, "build", "lib", "instantrace", "libinstantrace.so")
CORPUS = os.path.join(os.path.dirname(ROOT), "shared", "corpus")
TRACES = 3

SYNTAX = ["-fsyntax-only"]
OPTIMIZED = ["-O2", "-c"]
# Of the decompositions of dynamic matrices nothing, and two sizes: a third of the time, for
# as many rounds.
FEWER_MATRICES = [
    ("  MatrixXd M = MatrixXd::Random(40, 40);\n", ""),
    ("  VectorXd v = M.bdcSvd(ComputeThinU | ComputeThinV).solve(VectorXd::Ones(40));\n", ""),
    ("  SelfAdjointEigenSolver<MatrixXd> es(M * M.transpose());\n", ""),
    ("  ArrayXXd a = (M.array() * 2 + M.array().square().sqrt() - M.array().exp().log()).max(0.5);\n", ""),
    (" + run<4>() + run<6>() + v.sum() + es.eigenvalues().sum() + a.sum()", ""),
]
EXTERN = [
    ("extern-template", ["run<%d>" % Size], "`extern template double run<%d>();`" % Size, [
        ("double f() {", "extern template double run<%d>();\ndouble f() {" % Size),
    ])
    for Size in (2, 3)
]
# Layers of Eigen's assignment, each with the text before its name.
LAYERS = [
    ("dense_assignment_loop<$>::run",
     "EIGEN_DEVICE_FUNC static EIGEN_STRONG_INLINE void run(Kernel &kernel)",
     "EIGEN_DEVICE_FUNC [[gnu::always_inline]] static inline void run(Kernel &kernel)"),
    ("call_dense_assignment_loop<$>",
     "EIGEN_DEVICE_FUNC EIGEN_STRONG_INLINE void call_dense_assignment_loop(",
     "EIGEN_DEVICE_FUNC [[gnu::always_inline]] inline void call_dense_assignment_loop("),
    ("call_assignment<$>",
     "EIGEN_DEVICE_FUNC EIGEN_STRONG_INLINE\nvoid call_assignment(",
     "EIGEN_DEVICE_FUNC [[gnu::always_inline]] inline\nvoid call_assignment("),
    ("Assignment<$>::run",
     "static EIGEN_STRONG_INLINE void run(DstXprType &dst, const SrcXprType &src, const Functor &func)",
     "[[gnu::always_inline]] static inline void run(DstXprType &dst, const SrcXprType &src, const Functor &func)"),
]
GTEST = "gtest/internal/gtest-internal.h"
REGISTERED = """    MakeAndRegisterTestInfo(
        (std::string(prefix) + (prefix[0] == '\\0' ? "" : "/") + case_name +
         "/" + type_names[static_cast<size_t>(index)])
            .c_str(),
        StripTrailingSpaces(GetPrefixUntilComma(test_names)).c_str(),
        GetTypeName<Type>().c_str(),
        nullptr,  // No value parameter.
        code_location, GetTypeId<FixtureClass>(),
"""
TAKEN_OUT = """// What does not depend on the types.
void registerTyped(const char* prefix, const CodeLocation& code_location, const char* case_name,
                   const char* test_names, const std::string& name, const std::string& type, TypeId id,
                   SetUpTestSuiteFunc set_up, TearDownTestSuiteFunc tear_down, TestFactoryBase* factory);

"""
INVOKE = """        CPP_PP_IIF(RANGES_CONSTEXPR_INVOKE)(CPP_PP_EXPAND, CPP_PP_EAT)(constexpr)
        auto operator()(F&& f, Args&&... args) const
"""
# Of each unit: the file, options, how it is compiled, folders whose headers are its own,
# replacements that make the unit of it, and the experiments: kind, names of the suggestions
# that are taken together, what was done, replacements: of text, or of text in a header.
UNITS = [
    ("sfinae_overloads.cpp", ["-std=c++20"], SYNTAX, [], [], [
        ("enable-if", ["fn"], "a requires-clause", [
            ("template <class T, std::enable_if_t<T::value == N && (sizeof(T) > 0), int> = 0> auto fn",
             "template <class T> requires (T::value == N && (sizeof(T) > 0)) auto fn"),
        ]),
    ]),
    ("meta_recursive.cpp", ["-std=c++14", "-ftemplate-depth=2048"], SYNTAX, [], [], [
        ("recursion", ["prime_<$>"], "a constexpr function with a loop", [
            ("template <int P, int D> struct prime_ {",
             "constexpr bool isPrime(int P, int D) { for (; D > 1; --D) if (P % D == 0) return false; return true; }\n"
             "template <int P, int D> struct prime_ {"),
            ("prime_<N, N / 2>::v", "isPrime(N, N / 2)"),
        ]),
        ("recursion", ["tree<$>"], "a constexpr function that calls itself", [
            ("template <class... T> struct list {};",
             "constexpr int nodes(int D) { return D == 0 ? 1 : 2 * nodes(D - 1) + 1; }\n"
             "template <class... T> struct list {};"),
            ("tree<15, 1>::v", "nodes(15)"),
        ]),
    ]),
    ("eigen_dense.cpp", ["-std=c++17", "-I/usr/include/eigen3"], SYNTAX, [], FEWER_MATRICES, EXTERN),
    ("eigen_dense.cpp", ["-std=c++17"], OPTIMIZED, ["/usr/include/eigen3/Eigen"], FEWER_MATRICES, EXTERN + [
        ("never-kept", ["Eigen::internal::" + Name for Name, _, _ in LAYERS], "`[[gnu::always_inline]]` at each",
         [("Eigen/src/Core/AssignEvaluator.h", Old, New) for _, Old, New in LAYERS]),
    ]),
    ("range_v3.cpp", ["-std=c++20"], OPTIMIZED, ["/usr/include/range"], [], [
        ("never-kept", ["ranges::invoke_fn::operator()<$>"], "`[[gnu::always_inline]]`",
         [("range/v3/functional/invoke.hpp", INVOKE, "        [[gnu::always_inline]]\n" + INVOKE)]),
    ]),
    ("gtest_gmock.cpp", ["-std=c++17"], OPTIMIZED, ["/usr/include/gtest", "/usr/include/gmock"], [], [
        ("type-independent-part", ["testing::internal::TypeParameterizedTest<$>::Register"],
         "a function in a source file, which is given what depends on the type", [
             (GTEST, "template <GTEST_TEMPLATE_ Fixture, class TestSel, typename Types>\nclass TypeParameterizedTest {",
              TAKEN_OUT + "template <GTEST_TEMPLATE_ Fixture, class TestSel, typename Types>\nclass TypeParameterizedTest {"),
             (GTEST, REGISTERED,
              "    registerTyped(prefix, code_location, case_name, test_names, type_names[static_cast<size_t>(index)],\n"
              "                  GetTypeName<Type>(), GetTypeId<FixtureClass>(),\n"),
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
    os.makedirs(os.path.dirname(Path), exist_ok=True)
    with open(Path, "w", encoding="utf-8") as Out:
        Out.write(Text)
    return Path


def read(Path):
    with open(Path, encoding="utf-8") as In:
        return In.read()


def version(Folder, Unit, Changes):
    """A folder with the unit, changed, and with the headers that are its own; the command to compile it."""
    File, Flags, How, Headers, ToUnit, _ = Unit
    for Header in Headers:
        shutil.copytree(Header, os.path.join(Folder, os.path.basename(Header)))
    Path = written(Folder, File, replaced(
        read(os.path.join(CORPUS, File)), ToUnit + [C for C in Changes if len(C) == 2], File))
    for Header, *Change in (C for C in Changes if len(C) == 3):
        written(Folder, Header, replaced(read(os.path.join(Folder, Header)), [Change], Header))
    Output = ["-o", os.path.join(Folder, "a.o")] if "-c" in How else []
    return ["-w", *How, *Output, *Flags, "-I" + Folder, Path]


def instructions(Command):
    """Of a compile, in thousands of millions."""
    with tempfile.TemporaryDirectory(prefix="instantrace-bench-") as Folder:
        return sum(callgrind.count_compile(Command, Folder, environment()).own.values()) / 1e9


def suggestions(Command, Folder):
    """Of each trace: (kind, name) -> (least, estimate, most) as shares."""
    Found = []
    for _ in range(TRACES):
        Trace = os.path.join(Folder, "a.itrace")
        subprocess.run([*Command, "-fplugin=" + PLUGIN, "-fplugin-arg-instantrace-output=" + Trace], check=True)
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
    File, _, How, _, _, Experiments = Unit
    Commands = [[Opts.clang, *version(os.path.join(Folder, str(Index)), Unit, Changes)]
                for Index, Changes in enumerate([[]] + [E[3] for E in Experiments])]
    Advised = suggestions(Commands[0], Folder)
    Samples = [[] for _ in Commands]
    for Round in range(1 if Opts.instructions else Opts.rounds):
        for At in range(len(Commands)):
            Index = (At + Round) % len(Commands)
            Samples[Index].append((instructions if Opts.instructions else cpu)(Commands[Index]))
    Before = statistics.median(Samples[0])
    for (Kind, Names, Done, _), Times in zip(Experiments, Samples[1:]):
        for Name in Names:
            if any((Kind, Name) not in A for A in Advised):
                sys.exit("%s: found no suggestion %s of %s" % (File, Kind, Name))
        Least, Estimate, Most = (statistics.median(sum(A[Kind, Name][I] for Name in Names) for A in Advised)
                                 for I in range(3))
        After = statistics.median(Times)
        Saved = (Before - After) / Before
        Shown = "%s, %d more" % (Names[0], len(Names) - 1) if len(Names) > 1 else Names[0]
        print("| `%s` | `%s` | %s `%s` | %s | %.2f (%.2f..%.2f) | %.2f (%.2f..%.2f) | %s (%s..%s) | %s | %+.1f |"
              % (File, How[0], Kind, Shown, Done, Before, min(Samples[0]), max(Samples[0]), After, min(Times),
                 max(Times), percent(Estimate), percent(Least), percent(Most), percent(Saved), 100 * (Estimate - Saved)),
              flush=True)


def main():
    Parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    Parser.add_argument("--clang", default="clang++-%d" % MAJORS[-1])
    Parser.add_argument("--rounds", type=int, default=7)
    Parser.add_argument("--only", default="", help="units whose name has this in it")
    Parser.add_argument("--instructions", action="store_true", help="count them in the place of time")
    Parser.add_argument("--keep", help="leave the files here")
    Opts = Parser.parse_args()
    print("%s, %d rounds, %s, load %s\n" % (Opts.clang, Opts.rounds, datetime.date.today(),
                                           " ".join("%.1f" % L for L in os.getloadavg())))
    What = "10^9 instructions" if Opts.instructions else "CPU, s"
    print("| unit | compiled | suggestion | done | %s, before | after | estimate (least..most) | measured | error, points |"
          % What)
    print("|---|---|---|---|---:|---:|---:|---:|---:|", flush=True)
    with tempfile.TemporaryDirectory(prefix="instantrace-advice-") as Folder:
        for Number, Unit in enumerate(UNITS):
            if Opts.only in Unit[0] + " " + Unit[2][0]:
                run(Unit, Opts, os.path.join(Opts.keep or Folder, str(Number)))


if __name__ == "__main__":
    main()
