#!/usr/bin/env python3
"""Whether times are the same on a machine that is busy with other work.

usage: load_truth.py [--rounds N] [--clang MAJOR] [--build DIR] [FILE...]

Records files of the corpus on an idle machine, beside 2, 4 and 8 busy processes, and at
`nice 19` beside one, in turns. Compares each with the mean of the idle ones: the total, the
order of the 50 templates of most self time (Kendall's tau), and the time of the first of
them; by the processor's clock, and by the one on the wall. A busy machine makes a compile
itself cost more (its caches and its processor's speed are shared): the last column is the
total over what the kernel says that the process cost, in the same compile. Prints Markdown.
"""

import datetime
import json
import os
import statistics
import subprocess
import sys
import tempfile

from run import ENDS, Unit, places_parser, compile_command, environment

FILES = ["fmt_compile", "nlohmann_json", "range_v3", "boost_spirit_qi", "eigen_dense"]
LOADS = [("idle", 0, 0), ("2 busy", 2, 0), ("4 busy", 4, 0), ("8 busy", 8, 0), ("nice 19, 1 busy", 1, 19)]
CLOCKS = ["cpu", "wall"]
TOP = 50


class Busy:
    """So many processes that do nothing but compute."""

    def __init__(self, Count):
        self.Count = Count

    def __enter__(self):
        self.All = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(self.Count)]

    def __exit__(self, *_):
        for Each in self.All:
            Each.kill()
            Each.wait()


def tables(Options, Command, Nice):
    """By clock: (total, {template: self time}, total over the processor time of the process)."""
    Child = subprocess.Popen(["nice", "-n", str(Nice), *Command])
    _, Status, Usage = os.wait4(Child.pid, 0)
    Child.returncode = os.waitstatus_to_exitcode(Status)
    if Child.returncode:
        raise subprocess.CalledProcessError(Child.returncode, Command)
    ProcessNs = 1e9 * (Usage.ru_utime + Usage.ru_stime)
    Found = {}
    for Clock in CLOCKS:
        Text = subprocess.check_output([Options.tool, "summary", "--by=template", "--sort=self", "-n", "0",
                                        "--json", "--clock=" + Clock, "x.itrace"])
        Table = json.loads(Text)
        Found[Clock] = Table["total_ns"], {R["name"]: R["self_ns"] for R in Table["rows"]}, Table["total_ns"] / ProcessNs
    return Found


def tau(Order, Times):
    """Kendall's: 1 where Times has the names in this order, -1 in the reverse one."""
    Pairs = [(A, B) for I, A in enumerate(Order) for B in Order[I + 1:]]
    return sum((Times.get(A, 0) > Times.get(B, 0)) - (Times.get(A, 0) < Times.get(B, 0)) for A, B in Pairs) / len(Pairs)


def means(Tables):
    """Of several tables."""
    Names = {Name for _, Rows, _ in Tables for Name in Rows}
    return (statistics.mean(T for T, _, _ in Tables),
            {N: statistics.mean(Rows.get(N, 0) for _, Rows, _ in Tables) for N in Names})


def main():
    Parser = places_parser(__doc__)
    Parser.add_argument("files", nargs="*", default=FILES)
    Parser.add_argument("--rounds", type=int, default=10)
    Parser.add_argument("--clang", type=int, default=ENDS[-1])
    Options = Parser.parse_args()
    Options.build, Options.corpus = os.path.abspath(Options.build), os.path.abspath(Options.corpus)
    Options.tool = os.path.join(Options.build, "bin", "instantrace")
    Options.codegen = "O0"
    os.environ.update(environment())
    print("Clang %d, %d rounds, %s; %d processors, load %.1f before\n"
          % (Options.clang, Options.rounds, datetime.date.today(), os.cpu_count(), os.getloadavg()[0]))
    print("| file | load | clock | total, s | of idle | tau of the top %d | first row | of the process |\n|---|---|---|---:|---:|---:|---:|---:|" % TOP, flush=True)
    with tempfile.TemporaryDirectory(prefix="instantrace-load-") as Scratch:
        os.chdir(Scratch)
        for File in Options.files:
            Found = {Load: [] for Load, _, _ in LOADS}
            Source = Unit(os.path.join(Options.corpus, File + ".cpp"))
            Command = compile_command(Options, Options.clang, Source, "Instantrace", ".")
            for _ in range(Options.rounds):
                for Load, Count, Nice in LOADS:
                    with Busy(Count):
                        Found[Load].append(tables(Options, Command, Nice))
            for Clock in CLOCKS:
                Total, Rows = means([Each[Clock] for Each in Found["idle"]])
                Order = sorted(Rows, key=lambda Name: -Rows[Name])[:TOP]
                for Load, _, _ in LOADS:
                    Each = [One[Clock] for One in Found[Load]]
                    print("| %s | %s | %s | %.2f | %.3f (%.3f to %.3f) | %.3f | %+.1f %% | %.3f |"
                          % (File, Load, Clock, statistics.mean(T for T, _, _ in Each) / 1e9,
                             statistics.mean(T for T, _, _ in Each) / Total, min(T for T, _, _ in Each) / Total, max(T for T, _, _ in Each) / Total,
                             statistics.mean(tau(Order, R) for _, R, _ in Each),
                             100 * (statistics.mean(R.get(Order[0], 0) for _, R, _ in Each) / Rows[Order[0]] - 1),
                             statistics.mean(P for _, _, P in Each)), flush=True)


if __name__ == "__main__":
    main()
