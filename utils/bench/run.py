#!/usr/bin/env python3
"""Measures what profiling costs: CPU time, memory and bytes, beside -ftime-trace.

Every round compiles each file once with each variant, in an order that rotates
from round to round, so that a machine that gets slower or busier harms all
variants alike. CPU time is user plus system time of the compiler's processes
(wait4), and each is divided by that of "no plugin" in the same round. The
variant "no plugin, again" is the same command once more: its ratios show the
noise of the machine, and no smaller difference means anything.
"""

import argparse
import datetime
import json
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
with open(os.path.join(ROOT, "plugin", "clang-majors.txt")) as File:
    MAJORS = [int(Line) for Line in File if Line.strip().isdigit()]
ENDS = [MAJORS[0], MAJORS[-1]]
DEFAULT_FILES = [
    "boost_hana",
    "boost_mp11",
    "boost_spirit_qi",
    "concepts_heavy",
    "eigen_dense",
    "fmt_compile",
    "nlohmann_json",
    "range_v3",
    "tuple_big",
]
VARIANTS = [
    "no plugin",
    "no plugin, again",
    "null callback",
    "Instantrace",
    "-ftime-trace",
    "-ftime-trace, granularity 0",
]


def places_parser(Doc):
    """Of a script's options: where to find what is measured and what it is measured with."""
    Parser = argparse.ArgumentParser(description=Doc.split("\n\n")[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    Corpus = os.path.join(os.path.dirname(ROOT), "shared", "corpus")
    Add = Parser.add_argument
    Add("--build", default=os.path.join(ROOT, "build"), help="the build to measure")
    Add("--corpus", default=Corpus, help="folder of translation units")
    Add("--llvm-prefix", default="/usr/lib/llvm-", help="prefix of a major's LLVM folder")
    return Parser


def environment():
    """Of a compiler: nothing of the caller's changes what is measured."""
    Kept = {K: V for K, V in os.environ.items() if not K.startswith("INSTANTRACE_")}
    return {**Kept, "CLANG_NO_DEFAULT_CONFIG": "1"}


def cpu(Command):
    """User and system time of a command that has to succeed, in seconds."""
    Pid = os.posix_spawnp(Command[0], Command, os.environ)
    _, Status, Usage = os.wait4(Pid, 0)
    if Status != 0:
        sys.exit("%s: found status %d, expected 0" % (shlex.join(Command), Status))
    return Usage.ru_utime + Usage.ru_stime


def parse_arguments():
    Parser = places_parser(__doc__)
    Add = Parser.add_argument
    Add("--files", help="comma-separated names from the corpus, or `all`", default=",".join(DEFAULT_FILES))
    Add("--clang", type=int, action="append", help="a Clang major; may be repeated (the oldest and the newest)")
    Add("--rounds", type=int, default=5)
    Add("--variants", help="comma-separated numbers into: " + "; ".join("%d %s" % V for V in enumerate(VARIANTS)))
    Add("--codegen", nargs="?", const="O0", metavar="LEVEL", help="compile with -O0, or that, and -c instead of -fsyntax-only")
    Add("--json", metavar="OUT", help="write every single measurement there")
    Add("--measured", metavar="FILE", help="take these, which --json has written, and run nothing")
    Add("--update", metavar="FILE", help="replace the part of FILE between the markers of utils/bench/run.py")
    Options = Parser.parse_args()
    Options.clang = Options.clang or ENDS
    return Options


# The translation units


class Unit:
    """A file to compile; its first line names language standard and includes."""

    def __init__(self, Path):
        self.path = Path
        self.name = os.path.splitext(os.path.basename(Path))[0]
        with open(Path, encoding="utf-8", errors="replace") as File:
            First = File.readline()
        Standard = re.search(r"std: (\S+)", First)
        Include = re.search(r"inc: (\S+)", First)
        self.flags = ["-w", "-std=" + (Standard.group(1) if Standard else "c++17")]
        if Include:
            self.flags.append("-I" + Include.group(1))
        if self.name == "constexpr_eval":
            self.flags.append("-fconstexpr-steps=100000000")


def find_units(Options):
    Units = [Unit(os.path.join(ROOT, "test", "Inputs", "demo.cpp"))]
    if not os.path.isdir(Options.corpus):
        note("no corpus at %s: only the demo is measured" % Options.corpus)
        return Units
    Names = Options.files.split(",")
    if Options.files == "all":
        Names = sorted(N[:-4] for N in os.listdir(Options.corpus) if N.endswith(".cpp") and not N.startswith("error_"))
    for Name in Names:
        Path = os.path.join(Options.corpus, Name + ".cpp")
        if os.path.exists(Path):
            Units.append(Unit(Path))
        else:
            note("%s: no such file" % Path)
    return Units


# One compile


def plugin_flags(Options, Major, Variant, Scratch):
    Library = os.path.join(Options.build, "lib", "instantrace")
    if Variant == "null callback":
        return ["-fplugin=" + os.path.join(Library, "bench", "instantrace-null-clang-%d.so" % Major)]
    if Variant == "Instantrace":
        return [
            "-fplugin=" + os.path.join(Library, "libinstantrace.so"),
            "-fplugin-arg-instantrace-output=" + os.path.join(Scratch, "x.itrace"),
        ]
    # The driver ignores -ftime-trace where there is no object file; behind it,
    # the option takes a path from Clang 15 on.
    Pass = [] if Options.codegen else ["-Xclang"]
    Trace = Pass + ["-ftime-trace=x.json" if Pass and Major >= 15 else "-ftime-trace"]
    if Variant == "-ftime-trace":
        return Trace
    if Variant == "-ftime-trace, granularity 0":
        return Trace + Pass + ["-ftime-trace-granularity=0"]
    return []


def clang(Options, Major):
    return os.path.join(Options.llvm_prefix + str(Major), "bin", "clang++")


def compile_command(Options, Major, U, Variant, Scratch):
    Command = [clang(Options, Major)] + U.flags + plugin_flags(Options, Major, Variant, Scratch)
    return Command + (["-" + Options.codegen, "-c", "-o", "x.o"] if Options.codegen else ["-fsyntax-only"]) + [U.path]


def compile_once(Options, Major, U, Variant):
    """The measurement, or None when the compile failed."""
    with tempfile.TemporaryDirectory(prefix="instantrace-bench-") as Scratch:
        Command = compile_command(Options, Major, U, Variant, Scratch)
        with open(os.path.join(Scratch, "stderr"), "wb") as Errors:
            Child = subprocess.Popen(Command, cwd=Scratch, env=environment(), stdout=Errors, stderr=Errors)
            _, Status, Usage = os.wait4(Child.pid, 0)
            Child.returncode = os.waitstatus_to_exitcode(Status)
        if Child.returncode != 0:
            with open(os.path.join(Scratch, "stderr"), errors="replace") as Errors:
                note("failed: %s\n%s" % (shlex.join(Command), Errors.read()[:500]))
            return None
        Result = {
            "clang": Major,
            "file": U.name,
            "variant": Variant,
            "cpu_s": Usage.ru_utime + Usage.ru_stime,
            "peak_rss_bytes": Usage.ru_maxrss * 1024,
            "page_faults": Usage.ru_minflt,
        }
        for Folder, _, Names in os.walk(Scratch):
            for Name in Names:
                if Name.endswith(".json"):
                    Result["json_bytes"] = os.path.getsize(os.path.join(Folder, Name))
                elif Name.endswith(".itrace"):
                    Result.update(measure_trace(os.path.join(Folder, Name)))
        Expected = {"Instantrace": "trace_bytes"}.get(Variant, "json_bytes" if "time-trace" in Variant else None)
        if Expected and Expected not in Result:
            note("%s wrote no file: %s" % (Variant, shlex.join(Command)))
            return None
        return Result


# The trace (proto/FORMAT.md), just far enough to know what the bytes are for


def varint(Data, At):
    Value = Shift = 0
    while True:
        Byte = Data[At]
        At += 1
        Value |= (Byte & 0x7F) << Shift
        Shift += 7
        if Byte < 0x80:
            return Value, At


def fields(Data, At, End):
    """Triples (number, value, size): an integer, or the offset of a message."""
    while At < End:
        Tag, At = varint(Data, At)
        Wire = Tag & 7
        if Wire == 0:
            Value, At = varint(Data, At)
            yield Tag >> 3, Value, 0
        elif Wire == 2:
            Size, At = varint(Data, At)
            yield Tag >> 3, At, Size
            At += Size
        else:
            Size = {1: 8, 5: 4}[Wire]
            yield Tag >> 3, At, Size
            At += Size


EVENTS, FOOTER, FOOTER_EVENTS, FOOTER_HITS = 6, 8, 6, 9


def measure_trace(Path):
    with open(Path, "rb") as File:
        Data = File.read()
    Result = {"trace_bytes": len(Data), "event_packet_bytes": 0}
    for _, Packet, PacketSize in fields(Data, 0, len(Data)):
        for Body, At, Size in fields(Data, Packet, Packet + PacketSize):
            if Body == EVENTS:
                Result["event_packet_bytes"] += PacketSize
            elif Body == FOOTER:
                for Number, Value, _ in fields(Data, At, At + Size):
                    if Number == FOOTER_EVENTS:
                        Result["events"] = Value
                    elif Number == FOOTER_HITS:
                        Result["memoized_hits"] = Value
    return Result


# The report


def note(Text):
    print("[bench] " + Text, file=sys.stderr, flush=True)


def megabytes(Bytes):
    return "%.2f" % (Bytes / 1e6)


class Report:
    def __init__(self, Options, Measurements, Failures):
        self.options = Options
        self.all = Measurements
        self.failures = Failures

    def of(self, Major, File, Variant, Key):
        """Values of all rounds, by round."""
        return {
            M["round"]: M[Key]
            for M in self.all
            if (M["clang"], M["file"], M["variant"]) == (Major, File, Variant) and Key in M
        }

    def ratios(self, Major, File, Variant):
        Base = self.of(Major, File, VARIANTS[0], "cpu_s")
        Own = self.of(Major, File, Variant, "cpu_s")
        return [Own[R] / Base[R] for R in sorted(Own) if Base.get(R)]

    def least(self, Major, File, Variant):
        """Of the CPU times of all rounds: what comes in between only adds."""
        return min(self.of(Major, File, Variant, "cpu_s").values(), default=None)

    def one(self, Major, File, Variant, Key):
        Values = list(self.of(Major, File, Variant, Key).values())
        return statistics.median(Values) if Values else None

    def files(self, Major):
        return sorted({M["file"] for M in self.all if M["clang"] == Major})

    def variants(self):
        return [V for V in VARIANTS[1:] if any(M["variant"] == V for M in self.all)]

    def lines(self):
        for Major in self.options.clang:
            if self.files(Major):
                yield from self.time_table(Major)
                yield from self.size_table(Major)
        for Failure in self.failures:
            yield "Not measured: %s." % Failure

    def time_table(self, Major):
        Variants = self.variants()
        yield "### Clang %d: CPU time as a ratio to no plugin, least by least; median (min..max)" % Major
        yield ""
        yield "| file | no plugin, s | " + " | ".join(Variants) + " |"
        yield "|---|---:|" + "---:|" * len(Variants)
        Leasts, Medians = {V: [] for V in Variants}, {V: [] for V in Variants}
        for File in self.files(Major):
            Base = self.least(Major, File, VARIANTS[0])
            Cells = ["%.2f" % Base]
            for Variant in Variants:
                Ratios = self.ratios(Major, File, Variant)
                if not Ratios:
                    Cells.append("-")
                    continue
                Leasts[Variant].append(self.least(Major, File, Variant) / Base)
                Medians[Variant].append(statistics.median(Ratios))
                Cells.append("%.3f; %.3f (%.3f..%.3f)" % (Leasts[Variant][-1], Medians[Variant][-1], min(Ratios), max(Ratios)))
            yield "| %s | %s |" % (File, " | ".join(Cells))
        Cells = [
            "%.3f; %.3f (%.3f..%.3f)" % (statistics.median(Leasts[V]), statistics.median(M), min(M), max(M)) if M else "-"
            for V, M in Medians.items()
        ]
        yield "| **median of the files** | | %s |" % " | ".join(Cells)
        yield ""

    def size_table(self, Major):
        yield "### Clang %d: bytes and memory" % Major
        yield ""
        yield (
            "| file | events | memoized hits | bytes per event: event packets | whole file | trace, MB | -ftime-trace, MB"
            " | granularity 0, MB | trace : granularity 0 | peak RSS, MB: no plugin | Instantrace | granularity 0 |"
        )
        yield "|---|" + "---:|" * 11
        for File in self.files(Major):
            Get = lambda Variant, Key: self.one(Major, File, Variant, Key)
            Events, Trace = Get("Instantrace", "events"), Get("Instantrace", "trace_bytes")
            Packets, Json = Get("Instantrace", "event_packet_bytes"), Get("-ftime-trace, granularity 0", "json_bytes")
            Small = Get("-ftime-trace", "json_bytes")
            Hits = Get("Instantrace", "memoized_hits")
            Rss = [Get(V, "peak_rss_bytes") for V in (VARIANTS[0], "Instantrace", "-ftime-trace, granularity 0")]
            Cells = [
                "%d" % Events if Events else "-",
                "%d" % Hits if Hits is not None else "-",
                "%.2f" % (Packets / Events) if Events else "-",
                "%.2f" % (Trace / Events) if Events else "-",
                megabytes(Trace) if Trace else "-",
                megabytes(Small) if Small else "-",
                megabytes(Json) if Json else "-",
                "1 : %.1f" % (Json / Trace) if Json and Trace else "-",
            ] + ["%.0f" % (R / 1e6) if R else "-" for R in Rss]
            yield "| %s | %s |" % (File, " | ".join(Cells))
        yield ""


def machine():
    Model = "unknown processor"
    with open("/proc/cpuinfo", encoding="utf-8") as File:
        for Line in File:
            if Line.startswith("model name"):
                Model = Line.split(":", 1)[1].strip()
                break
    return "%s, %d cores" % (Model, os.cpu_count())


def header(Options, Load):
    Arguments = ["--rounds %d" % Options.rounds] + ["--clang %d" % M for M in Options.clang]
    if Options.codegen:
        Arguments.append("--codegen " + Options.codegen)
    Arguments.append("--files " + Options.files)
    yield "Command: `utils/dev bench %s`  " % " ".join(Arguments)
    yield "Date: %s  " % datetime.date.today().isoformat()
    yield "Machine: %s; load average at start and end %.1f and %.1f  " % (machine(), Load, os.getloadavg()[0])
    yield "Compiled with: `%s`" % ("-%s -c" % Options.codegen if Options.codegen else "-fsyntax-only")
    yield ""


def update(Path, Text, Script="utils/bench/run.py"):
    Begin, End = "<!-- begin: %s -->\n" % Script, "<!-- end: %s -->\n" % Script
    with open(Path, encoding="utf-8") as File:
        Old = File.read()
    if Begin not in Old or End not in Old:
        sys.exit("%s: lacks the lines %s and %s" % (Path, Begin.strip(), End.strip()))
    New = Old[: Old.index(Begin) + len(Begin)] + "\n" + Text + Old[Old.index(End) :]
    with open(Path, "w", encoding="utf-8") as File:
        File.write(New)


def main():
    Options = parse_arguments()
    Options.build = os.path.abspath(Options.build)
    Options.corpus = os.path.abspath(Options.corpus)
    if Options.measured:
        return show_measured(Options)
    Load = os.getloadavg()[0]
    Variants = VARIANTS
    if Options.variants:
        Variants = [VARIANTS[0]] + [VARIANTS[I] for I in sorted(map(int, Options.variants.split(","))) if I]
    Measurements, Failures = [], []
    for Major in Options.clang:
        for U in find_units(Options):
            # The first compile warms the file cache and shows what works.
            if not compile_once(Options, Major, U, VARIANTS[0]):
                Failures.append("%s with Clang %d: it does not compile" % (U.name, Major))
                continue
            Dead = set()
            for Round in range(Options.rounds):
                Turn = Round % len(Variants)
                for Variant in Variants[Turn:] + Variants[:Turn]:
                    if Variant in Dead:
                        continue
                    M = compile_once(Options, Major, U, Variant)
                    if not M:
                        Dead.add(Variant)
                        Failures.append("%s with Clang %d: %s failed" % (U.name, Major, Variant))
                        continue
                    Measurements.append(dict(M, round=Round))
            note("Clang %d, %s: %d rounds done" % (Major, U.name, Options.rounds))
    Run = {
        "header": list(header(Options, Load)),
        "machine": machine(),
        "clang": Options.clang,
        "failures": Failures,
        "measurements": Measurements,
    }
    if Options.json:
        with open(Options.json, "w", encoding="utf-8") as File:
            json.dump(Run, File, indent=1)
            File.write("\n")
    show(Options, Run)
    return 1 if not Measurements else 0


def show(Options, Run):
    Options.clang = Run["clang"]
    Lines = Run["header"] + list(Report(Options, Run["measurements"], Run["failures"]).lines())
    Text = "\n".join(Lines) + "\n"
    print(Text, end="")
    if Options.update:
        update(Options.update, Text)


def show_measured(Options):
    with open(Options.measured, encoding="utf-8") as File:
        show(Options, json.load(File))
    return 0


if __name__ == "__main__":
    sys.exit(main())
