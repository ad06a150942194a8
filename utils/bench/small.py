#!/usr/bin/env python3
"""Builds of many small files in which no template is: what the plugin adds to them.

usage: small.py [--count N] [--clang MAJOR] [--build DIR]

Writes N C files of one function each, and as many empty C++ files, and compiles all of
them to objects without a plugin, so once more, with a null callback and with
Instantrace, fifty at a time in an order that rotates, so that a machine that gets
slower or busier harms all alike. Prints CPU time of all compiles as a ratio to that
without a plugin, and milliseconds of one, as Markdown.
"""

import datetime
import os
import tempfile

from run import ENDS, places_parser, clang, cpu, environment, plugin_flags

VARIANTS = ["no plugin", "no plugin, again", "null callback", "Instantrace"]
BATCH = 50
KINDS = {
    "C, one function": ("c", "int answer%d(int Of) { return Of * %d + 1; }\n"),
    "C++, empty": ("cpp", ""),
}


def measured(Options, Major, Kind):
    """CPU seconds of all compiles, by variant."""
    Ending, Text = KINDS[Kind]
    Spent = dict.fromkeys(VARIANTS, 0.0)
    Compiler = clang(Options, Major)
    if Ending == "c":
        Compiler = Compiler.replace("clang++", "clang")
    for First in range(0, Options.count, BATCH):
        Files = ["unit%d.%s" % (I, Ending) for I in range(First, min(First + BATCH, Options.count))]
        for I, File in enumerate(Files):
            with open(File, "w") as Out:
                Out.write(Text % (First + I, First + I) if Text else "")
        Turn = First // BATCH % len(VARIANTS)
        for Variant in VARIANTS[Turn:] + VARIANTS[:Turn]:
            # No output is named: the plugin names each trace as it does in a build.
            Flags = [F for F in plugin_flags(Options, Major, Variant, ".") if "output=" not in F]
            Spent[Variant] += sum(cpu([Compiler, *Flags, "-c", File]) for File in Files)
    return Spent


def main():
    Parser = places_parser(__doc__)
    Parser.add_argument("--count", type=int, default=10000)
    Parser.add_argument("--clang", type=int, action="append", help="a Clang major; may be repeated (the oldest and the newest)")
    Options = Parser.parse_args()
    Options.codegen = "O0"
    os.environ.update(environment())
    for Name in [N for N in os.environ if N.startswith("INSTANTRACE_")]:
        del os.environ[Name]
    print("%d files of each kind; %s; %d processors, load %.1f\n" % (Options.count, datetime.date.today(), os.cpu_count(), os.getloadavg()[0]))
    print("| Clang | file | no plugin, ms | no plugin, again | null callback | Instantrace | more, ms |\n|---|---|---:|---:|---:|---:|---:|", flush=True)
    with tempfile.TemporaryDirectory(prefix="instantrace-small-") as Scratch:
        os.chdir(Scratch)
        for Major in Options.clang or ENDS:
            for Kind in KINDS:
                Spent = measured(Options, Major, Kind)
                Plain = Spent[VARIANTS[0]]
                print("| %d | %s | %.1f | %s | %.2f |"
                      % (Major, Kind, 1000 * Plain / Options.count, " | ".join("%.3f" % (Spent[V] / Plain) for V in VARIANTS[1:]),
                         1000 * (Spent["Instantrace"] - Plain) / Options.count), flush=True)


if __name__ == "__main__":
    main()
