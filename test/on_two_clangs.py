"""Tests that run with the oldest and the newest Clang alone.

Most tests of test/plugin run with every Clang, since what they look at comes from
Clang. What follows is decided in our code, the same in all modules, or needs long
and would see the same once more. It runs with the two ends of
plugin/clang-majors.txt; with a Clang between, lit counts it as unsupported with the
reason, and test/counts.py shows how many there are of each. By hand
(build/test/lit) all run with any.
"""

import lit.formats
import lit.Test

OPTIONS = "what an option means is decided in our code"
COLLECTOR = "the collector and the link to it know nothing of Clang"
BUILDS = "what drivers and build tools do around a compile is met in our code"
BUFFER = "what becomes of a buffer is decided in our code"
ADVICE = "advice is the tool's, and what it is drawn from is tested with all"
FIGURES = "figures are stored for these two"
MEASURES = "the modules that measure are built for these two"
LONG = "long, and of the language as the shorter files of the corpus"
ORACLE = "-ftime-trace agrees on the demo with all"

# A folder or a file below test/plugin, and why. Of the corpus, all Clangs have what
# differs most between them: constraints, ranges, lambdas, constant expressions,
# errors, {fmt} and the JSON library.
REASONS = {
    "advice/": ADVICE,
    "both-hooks/": MEASURES,
    "names/benchmark-runs.test": MEASURES,
    "cost/": FIGURES,
    "collector/": COLLECTOR,
    "options/": OPTIONS,
    "harmless/builds/": BUILDS,
    "harmless/cut-buffer.test": BUFFER,
    "harmless/no-locks.cpp": BUFFER,
    "killed/buffer-folder.cpp": BUFFER,
    "killed/takeover.test": BUFFER,
    "corpus/boost-hana.test": LONG,
    "corpus/boost-mp11.test": LONG,
    "corpus/boost-spirit-qi.test": LONG,
    "corpus/constexpr-regex.test": LONG,
    "corpus/eigen-dense.test": LONG,
    "corpus/gtest-gmock.test": LONG,
    "corpus/long-names.test": LONG,
    "corpus/meta-recursive.test": LONG,
    "corpus/range-v3.test": LONG,
    "corpus/tuple-big.test": LONG,
    "corpus/variant-visit.test": LONG,
    "oracle/time-trace-boost-hana.test": ORACLE,
    "oracle/time-trace-gtest-gmock.test": ORACLE,
    "oracle/time-trace-nlohmann-json.test": ORACLE,
}
PREFIX = "runs with the oldest and the newest Clang alone: "


def reason(Path):
    """Why the test at Path, seen from test/, runs with two Clangs; None if with all."""
    for Name, Why in REASONS.items():
        Whole = "plugin/" + Name
        if Path == Whole or (Name.endswith("/") and Path.startswith(Whole)):
            return Why
    return None


class ShTest(lit.formats.ShTest):
    """lit's own, but for the tests above."""

    def execute(self, Test, LitConfig):
        Why = reason("/".join(Test.path_in_suite))
        if Why:
            return lit.Test.Result(lit.Test.UNSUPPORTED, PREFIX + Why)
        return super().execute(Test, LitConfig)
