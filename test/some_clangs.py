"""Tests that run with some Clangs alone.

Most tests of test/plugin run with every Clang, since what they look at comes from
Clang. What follows is decided in our code, the same in all modules, or needs long
and would see the same once more. It runs with the oldest or the newest of
plugin/clang-majors.txt, or with both; otherwise lit counts it as unsupported with the
reason, and test/counts.py shows how many there are of each. By hand
(build/test/lit) all run with any.
"""

OLDEST, NEWEST, ENDS = ("oldest",), ("newest",), ("oldest", "newest")

OPTIONS = "what an option means is decided in our code"
COLLECTOR = "the collector and the link to it know nothing of Clang"
BUILDS = "what drivers and build tools do around a compile is met in our code"
BUFFER = "what becomes of a buffer is decided in our code"
ADVICE = "advice is the tool's, and what it is drawn from is tested with all"
FIGURES = "figures are stored for these two"
MEASURES = "the modules that measure are built for these two"
LONG = "long, and of the language as the shorter files of the corpus"
ORACLE = "-ftime-trace agrees on the demo with all"
KILLS = "others are killed with both"

# A folder or a file below test/plugin, with which Clangs, and why. Of the corpus, all
# Clangs have what differs most between them: constraints, ranges, lambdas, constant
# expressions, errors, {fmt} and the JSON library.
WITH = {
    "advice/": (NEWEST, ADVICE),
    "both-hooks/": (ENDS, MEASURES),
    "cost/": (ENDS, FIGURES),
    "collector/": (NEWEST, COLLECTOR),
    "options/": (NEWEST, OPTIONS),
    "harmless/builds/": (NEWEST, BUILDS),
    "harmless/analyzers.test": (ENDS, BUILDS),
    "harmless/analyzers-of-each-command.test": (NEWEST, BUILDS),
    "harmless/cut-buffer.test": (OLDEST, BUFFER),
    "harmless/no-locks.cpp": (OLDEST, BUFFER),
    "killed/address-space.test": (OLDEST, KILLS),
    "killed/buffer-folder.cpp": (OLDEST, BUFFER),
    "killed/buffer-options.test": (OLDEST, BUFFER),
    "killed/full-disk.test": (OLDEST, BUFFER),
    "killed/takeover.test": (OLDEST, BUFFER),
    "killed/kill-lambda-nest.test": (NEWEST, KILLS),
    "killed/kill-sfinae-overloads.test": (OLDEST, KILLS),
    "corpus/boost-hana.test": (NEWEST, LONG),
    "corpus/boost-mp11.test": (OLDEST, LONG),
    "corpus/boost-spirit-qi.test": (NEWEST, LONG),
    "corpus/constexpr-regex.test": (OLDEST, LONG),
    "corpus/demo.test": (OLDEST, LONG),
    "corpus/eigen-dense.test": (NEWEST, LONG),
    "corpus/gtest-gmock.test": (OLDEST, LONG),
    "corpus/long-names.test": (OLDEST, LONG),
    "corpus/meta-recursive.test": (OLDEST, LONG),
    "corpus/range-v3.test": (NEWEST, LONG),
    "corpus/transcripts.test": (NEWEST, ADVICE),
    "corpus/tuple-big.test": (OLDEST, LONG),
    "corpus/variant-visit.test": (NEWEST, LONG),
    "oracle/time-trace-boost-hana.test": (NEWEST, ORACLE),
    "oracle/time-trace-gtest-gmock.test": (OLDEST, ORACLE),
    "oracle/time-trace-nlohmann-json.test": (NEWEST, ORACLE),
}
WORDS = {OLDEST: "the oldest Clang", NEWEST: "the newest Clang", ENDS: "the oldest and the newest Clang"}
# What comes after the hook, and so is the same without the callback.
AFTER_THE_HOOK = ("harmless/analyzers.test", "harmless/analyzers-of-each-command.test", "harmless/builds/", "collector/")


def is_in(Path, Name):
    Whole = "plugin/" + Name
    return Path == Whole or (Name.endswith("/") and Path.startswith(Whole))


def reason(Path, Place, HasCallback):
    """Why the test at Path, seen from test/, does not run with the Clang that is the
    `oldest`, the `newest` or `between`; None if it does."""
    for Name, (Which, Why) in WITH.items():
        if is_in(Path, Name) and Place not in Which:
            return "runs with %s alone: %s" % (WORDS[Which], Why)
    if not HasCallback and any(is_in(Path, Name) for Name in AFTER_THE_HOOK):
        return "runs with the callback alone: it comes after the hook"
    return None
