#!/usr/bin/env python3
"""Measures what recording costs in instructions and page faults, part by part.

Neither depends on how busy the machine is. Instructions are callgrind's, of one compile
each without a plugin, with callbacks that do nothing and with Instantrace; page faults
(wait4) are the median of some compiles, since Clang's own vary by tens. With --gate,
small compiles are compared with stored figures instead (cost_gate.py).
"""

import datetime
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

import callgrind
import cost_gate
import names
import run

VARIANTS = ["no plugin", "null callback", "Instantrace"]
FILES = ["fmt_compile", "nlohmann_json", "boost_hana"]
# In which no template is: name, flags, content.
SMALL = [
    ("an empty C++ file", ["-std=c++17"], "empty.cpp", ""),
    ("a C file with one function", ["-x", "c"], "one.c", "int one(int It) { return It + 1; }\n"),
]
SMALL_ROUNDS = 21


def parse_arguments():
    Parser = run.places_parser(__doc__)
    Add = Parser.add_argument
    Add("--files", help="comma-separated names from the corpus, or `all`", default=",".join(FILES))
    Add("--clang", type=int, action="append", help="a Clang major; may be repeated (the oldest and the newest)")
    Add("--level", default="O0", help="how much is optimized")
    Add("--rounds", type=int, default=3, help="compiles whose page faults are counted")
    Add("--json", metavar="OUT", help="write every single measurement there")
    Add("--update", metavar="FILE", help="replace the part of FILE between the markers of utils/bench/cost.py")
    Gate = Parser.add_argument_group("compare small compiles with stored figures")
    Gate.add_argument("--gate", action="store_true", help="fail where one is over them")
    Gate.add_argument("--store", action="store_true", help="write what is found there")
    Gate.add_argument("--stored", metavar="FILE", default=cost_gate.STORED, help="where they are; of any build if it is another")
    Options = Parser.parse_args()
    Options.clang = Options.clang or run.ENDS
    Options.codegen = Options.level
    return Options


# Where instructions are


def ours(*Names):
    return r"instantrace::(?:\(anonymous namespace\)::)?(?:%s)\b" % "|".join(Names)


NAMING = ours("Recorder::seeWhatIsDue", "Recorder::nameNow", "Profiler::nameEntities")
# What a part is called, its functions, and what is called by them and no part of it.
# Whatever calls each other is counted once, with all that it calls.
PARTS = [
    ("begin of an interval", ours("Recorder::push"), NAMING),
    ("end of an interval", ours("Recorder::pop"), NAMING),
    ("queue of late bodies", ours("QueuedBodies::lookThrough"), None),
    ("clock", "clock_gettime", None),
    ("entry of a file", ours("FileWatcher::FileChanged"), None),
    ("naming and describing entities", ours("NamingPass::describeEntities"), None),
    ("resolving locations", ours("LocationResolver::resolve"), None),
    ("dictionary", ours("TraceWriter::writeDictionary"), None),
    ("rows of entities and locations", ours("TraceWriter::writeEntities", "TraceWriter::writeLocation"), None),
    ("rows of memoized hits", ours("Profiler::writeHits"), None),
    ("draining", ours("TraceBuffer::drain"), None),
    ("creation", ours("startProfile"), None),
    ("end of the profile", ours("Profiler::finish"), None),
]
CALLBACKS = ours("Callback::atTemplateBegin", "Callback::atTemplateEnd", "Callback::beginWork", "Callback::endWork")


def parts(Profile):
    """{part: instructions, None where callgrind cannot tell}"""
    Result = {"callback entry, switch over kinds, memoized hits": Profile.itself(CALLBACKS)}
    for Name, Functions, Without in PARTS:
        Inside = Profile.inside(Functions)
        if Inside is not None and Without:
            Inside -= Profile.inside(Without, By=Functions) or 0
        Result[Name] = Inside
    return Result


CLOCK = "the clock that is preloaded"
KINDS = [  # of objects, the first that matches
    ("our objects", r"/(libinstantrace|instantrace-(?:entry-)?clang-\d+|instantrace-null-clang-\d+)\.so"),
    ("Clang and LLVM", r"/(libclang|libLLVM|clang)[^/]*$"),
    ("the dynamic linker", r"/ld-linux"),
    (CLOCK, r"/even-clock\.so"),
    ("the C and C++ libraries, others", ""),
]
PLACES = [Kind for Kind, _ in KINDS if Kind != CLOCK]


def places(Profile):
    """{kind of object: instructions in it}"""
    Result = {Kind: 0 for Kind, _ in KINDS}
    for Object, Cost in Profile.objects().items():
        Result[next(Kind for Kind, Of in KINDS if re.search(Of, Object))] += Cost
    return Result


# Measuring

# How many times as long a compile takes under callgrind. By the machine's clock, what is
# recorded because it took long, and what is done each few milliseconds, would be as much more.
SLOWER = 50


def count(Options, Major, Unit, Variant):
    with tempfile.TemporaryDirectory(prefix="instantrace-bench-") as Scratch:
        Command = run.compile_command(Options, Major, Unit, Variant, Scratch)
        if Variant == "Instantrace":
            Command.append(cost_gate.MONOTONIC)
        Clock = cost_gate.even_clock(Options, Major, Scratch)
        return callgrind.count_compile(Command, Scratch, {**run.environment(), "LD_PRELOAD": Clock, "EVEN_CLOCK_PART": str(SLOWER)})


def measure(Options, Major, Unit):
    """{variant: what was measured}; raises callgrind.Failure."""
    Result = {}
    for Variant in VARIANTS:
        Rounds = [run.compile_once(Options, Major, Unit, Variant) for _ in range(Options.rounds)]
        if None in Rounds:
            raise callgrind.Failure("%s failed" % Variant)
        Profile = count(Options, Major, Unit, Variant)
        Places = places(Profile)
        Result[Variant] = {
            "page_faults": [R["page_faults"] for R in Rounds],
            "instructions": sum(Profile.own.values()) - Places[CLOCK],
            "places": Places,
            "parts": parts(Profile) if Variant == "Instantrace" else {},
            "events": Rounds[0].get("events"),
            "memoized_hits": Rounds[0].get("memoized_hits"),
        }
    return Result


class SmallUnit:
    def __init__(self, Name, Flags, Path, Content):
        self.name, self.flags, self.path, self.content = Name, Flags, Path, Content


def page_faults(Command, Folder):
    Child = subprocess.Popen(Command, cwd=Folder, env=run.environment())
    _, Status, Usage = os.wait4(Child.pid, 0)
    Child.returncode = os.waitstatus_to_exitcode(Status)
    if Child.returncode != 0:
        raise callgrind.Failure("exit code %d of %s" % (Child.returncode, " ".join(Command)))
    return Usage.ru_minflt


def measure_small(Options, Major):
    """{name: {variant: what was measured}}"""
    Result = {}
    for Unit in (SmallUnit(*S) for S in SMALL):
        with tempfile.TemporaryDirectory(prefix="instantrace-bench-") as Folder:
            with open(os.path.join(Folder, Unit.path), "w", encoding="utf-8") as File:
                File.write(Unit.content)
            Measured = Result.setdefault(Unit.name, {})
            for Variant in VARIANTS:
                Command = run.compile_command(Options, Major, Unit, Variant, Folder)
                Profile = callgrind.count_compile(Command, Folder, run.environment())
                Measured[Variant] = {
                    "instructions": sum(Profile.own.values()),
                    "places": places(Profile),
                    "page_faults": [page_faults(Command, Folder) for _ in range(SMALL_ROUNDS)],
                }
    return Result


# The table: a column for each file


def millions(Instructions):
    return "–" if Instructions is None else "{:,.1f}".format(Instructions / 1e6)


def more(Own, Base):
    return "%+.1f (%.2f %%)" % ((Own - Base) / 1e6, 100 * (Own / Base - 1))


def rows(Files):
    """Each a label and a function of a file's measurements that gives the cell."""
    None_, Null, Ours = VARIANTS
    Faults = lambda M, Variant: statistics.median(M[Variant]["page_faults"])
    yield "events", lambda M: "{:,}".format(M[Ours]["events"])
    yield "memoized hits", lambda M: "{:,}".format(M[Ours]["memoized_hits"])
    yield "**no plugin**", lambda M: millions(M[None_]["instructions"])
    for Variant in (Null, Ours):
        Base = lambda M: M[None_]["instructions"]
        yield "**%s**, more" % Variant, lambda M, V=Variant: more(M[V]["instructions"], Base(M))
    for Kind in PLACES:
        Difference = lambda M, K=Kind: M[Ours]["places"][K] - M[None_]["places"][K]
        yield "of that in " + Kind, lambda M, D=Difference: "%+.1f" % (D(M) / 1e6)
    for Part in next(iter(Files.values()))[Ours]["parts"]:
        yield Part, lambda M, P=Part: millions(M[Ours]["parts"][P])
    yield "**page faults**, no plugin", lambda M: "{:,.0f}".format(Faults(M, None_))
    for Variant in (Null, Ours):
        yield "%s, more" % Variant, lambda M, V=Variant: "%+d" % (Faults(M, V) - Faults(M, None_))


def small_rows(Small):
    Base = VARIANTS[0]
    Faults = lambda M, Variant: statistics.median(M[Variant]["page_faults"])
    yield "| | %s |" % " | ".join(Small)
    yield "|---|" + "---:|" * len(Small)
    cells = lambda Label, Cell: "| %s | %s |" % (Label, " | ".join(Cell(M) for M in Small.values()))
    yield cells("**no plugin**", lambda M: "{:,.2f}".format(M[Base]["instructions"] / 1e6))
    for V in VARIANTS[1:]:
        more = lambda M, V=V: (M[V]["instructions"] - M[Base]["instructions"], M[Base]["instructions"])
        yield cells("**%s**, more" % V, lambda M, more=more: "%+.2f (%.2f %%)" % (more(M)[0] / 1e6, 100 * more(M)[0] / more(M)[1]))
    for Kind in PLACES:
        less = lambda M, K=Kind: M[VARIANTS[-1]]["places"][K] - M[Base]["places"][K]
        yield cells("of that in " + Kind, lambda M, less=less: "%+.2f" % (less(M) / 1e6))
    yield cells("**page faults**, no plugin", lambda M: "{:,.0f}".format(Faults(M, Base)))
    for V in VARIANTS[1:]:
        yield cells("%s, more" % V, lambda M, V=V: "%+d" % (Faults(M, V) - Faults(M, Base)))


def lines(Options, Measured, Small, Failures):
    Arguments = ["--clang %d" % M for M in Options.clang] + ["--level " + Options.level, "--files " + Options.files]
    yield "Command: `utils/dev bench cost %s`  " % " ".join(Arguments)
    yield "Date: %s; commit %s  " % (datetime.date.today().isoformat(), names.revision())
    yield "Compiled with: `-%s -c`" % Options.level
    for Major, Files in Measured.items():
        yield ""
        yield "### Clang %d: millions of instructions" % Major
        yield ""
        yield "| | %s |" % " | ".join(Files)
        yield "|---|" + "---:|" * len(Files)
        for Label, Cell in rows(Files):
            yield "| %s | %s |" % (Label, " | ".join(Cell(M) for M in Files.values()))
    for Major, Files in Small.items():
        yield ""
        yield "### Clang %d: millions of instructions where no template is" % Major
        yield ""
        yield from small_rows(Files)
    yield ""
    for Failure in Failures:
        yield "Not measured: %s." % Failure


def main():
    Options = parse_arguments()
    Options.build = os.path.abspath(Options.build)
    Options.corpus = os.path.abspath(Options.corpus)
    if Options.gate or Options.store:
        return cost_gate.main(Options)
    Reason = callgrind.reason_to_skip()
    if Reason:
        sys.exit("cost: " + Reason)
    Measured, Small, Failures = {}, {}, []
    for Major in Options.clang:
        Small[Major] = measure_small(Options, Major)
        for Unit in run.find_units(Options)[1:]:
            try:
                Measured.setdefault(Major, {})[Unit.name] = measure(Options, Major, Unit)
                run.note("Clang %d, %s: counted" % (Major, Unit.name))
            except callgrind.Failure as Failure:
                run.note(str(Failure))
                Failures.append("%s with Clang %d" % (Unit.name, Major))
    Text = "\n".join(lines(Options, Measured, Small, Failures)) + "\n"
    print(Text, end="")
    if Options.json:
        with open(Options.json, "w", encoding="utf-8") as File:
            json.dump({"failures": Failures, "measured": Measured, "small": Small}, File, indent=1)
            File.write("\n")
    if Options.update:
        run.update(Options.update, Text, Script="utils/bench/cost.py")
    return 1 if Failures or not Measured else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except callgrind.Failure as Reason:
        sys.exit("cost: %s" % Reason)
