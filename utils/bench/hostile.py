#!/usr/bin/env python3
"""Runs every command over the worst files of a megabyte that we could think of.

Each file is made to cost one thing as much as it can: depth, intervals, entities,
names that are made of each other, places, inclusions, sequences, packets, counts.
Each command runs on each of them with limits of time and memory, and a table
says which file was worst for which command. Whatever ends by a signal or has an exit
code that is not documented is printed, and makes the exit code 1.
"""

import argparse
import concurrent.futures
import datetime
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading

from run import ROOT, machine, update

MEGABYTE = 1 << 20
BY = "template specialization class namespace library kind file directory line header user-frame instantiation".split()
FORMATS = "callgrind chrome csv dot folded perfetto pprof speedscope sqlite".split()
# {}: the file; {out}: a name that is free; {other}: another hostile file.
COMMANDS = (
    [["summary", "--by=" + By, "{}"] for By in BY]
    + [["headers", "{}"], ["headers", "--json", "-n", "0", "{}"], ["duplicates", "{}", "{other}"], ["duplicates", "--json", "-n", "0", "{}", "{}"]]
    + [["dump", "{}"], ["dump", "--format=json", "{}"], ["dump", "--format=textproto", "{}"], ["dump", "--header", "{}"]]
    + [["verify", "{}"], ["why", "{}", "glob:*"], ["why", "--json", "{}", "glob:*"], ["tree", "{}"], ["tree", "-n", "0", "{}"], ["depth", "{}"]]
    + [["names", "{}"], ["diff", "{}", "{other}"], ["budget", "{budget}", "{}"], ["advise", "--no-sources", "{}"]]
    + [["constraints", "{}"], ["overloads", "{}"], ["annotate", "--source", "{budget}", "{}", "a.cpp"]]
    + [["export", "--to=flamegraph", "-o", "{out}", "{}"], ["report", "-o", "{out}", "{}"], ["report", "--against={other}", "-o", "{out}", "{}"]]
    + [["export", "--to=" + Format, "-o", "{out}", "{}"] for Format in FORMATS]
    + [["query", "{}", "SELECT count(*), max(depth), max(length(name)) FROM intervals"]]
    + [["query", "{}", "SELECT name, count(*) FROM intervals GROUP BY name ORDER BY 2 DESC LIMIT 9"]]
    + [["recover", "-o", "{out}", "{partial}"]]
)


# The files, as text for `instantrace assemble`

HEAD = """packet { file_header { magic: "instantrace" format_major: 1 format_minor: 3 } sequence_id: %d }
packet { session { input: "a.cpp" %s } sequence_id: %d }
"""
INSTANTIATION, CONSTRAINTS, DEDUCED, PENDING, FRONTEND, INCLUSION, MEMOIZATION = 1, 16, 5, None, None, 29, 28
BEGIN, END, INSTANT, REQUESTED = 0, 1, 2, 3
NEW = 1
AGAIN = 2  # the newest entity


def packet(Body, Sequence=1):
    return "packet { %s sequence_id: %d }\n" % (Body, Sequence)


def head(More="", Sequence=1):
    return HEAD % (Sequence, More, Sequence)


def begin(Entity=0, Location=0, Kind=INSTANTIATION):
    return [Kind << 2 | BEGIN, 1, Entity, Location]


def end(Flags=0, *Values):
    return [Flags << 2 | END, 1, *Values]


def events(Records, Entity=1, Location=1):
    Text = ", ".join(str(N) for Record in Records for N in Record)
    return packet("events { first_entity: %d first_location: %d record: [%s] }" % (Entity, Location, Text))


def column(Name, Values):
    return "%s: [%s] " % (Name, ", ".join(map(str, Values)))


def names(Entries):
    """Of (text, marker ids); NUL in the text is a marker."""
    Rows = "".join('entry { marked_name: "%s" %s}\n' % (Text, column("marker_ids", Ids) if Ids else "") for Text, Ids in Entries)
    return packet("dictionary { first_id: 1\n%s}" % Rows)


def entities(Names, Sets=None, Kinds=(1,)):
    """Of dictionary ids; the columns have differences. Kinds are taken in turn."""
    Sets = Sets or Names
    differences = lambda Ids: [B - A for A, B in zip([0] + Ids[:-1], Ids)]
    Count = len(Names)
    return packet("entities { first_id: 1 %s%s%s%s}" % (
        column("name", differences(Names)), column("template_set", differences(Sets)),
        column("declared_at", [0] * Count), column("kind", [Kinds[I % len(Kinds)] for I in range(Count)])))


def one_name(Count):
    return names([("Box<int>", []), ("Box<$>", [])]) + entities([1] * Count, [2] * Count)


def deep(N):
    return head() + one_name(1) + events([begin(NEW)] + [begin(AGAIN)] * (N - 1) + [end()] * N)


def deep_each(N):
    Names = [("B%x<\\000>" % I, [1]) for I in range(N)]
    return head() + names([("int", [])] + Names) + entities(list(range(2, N + 2))) + events([begin(NEW)] * N + [end()] * N)


def flat(N):
    return head() + one_name(1) + events([begin(NEW), end()] + [begin(AGAIN), end()] * (N - 1))


def many_entities(N):
    return head() + one_name(N) + events([begin(NEW), end()] * N)


def many_names(N):
    Names = [("n%x::B" % I, []) for I in range(N)]
    return head() + names(Names) + entities(list(range(1, N + 1))) + events([begin(NEW), end()] * N)


def chain_of_names(N):
    """Each name is the one before and a byte more."""
    Names = [("B", [])] + [("\\000<", [I]) for I in range(1, N)]
    return head() + names(Names) + entities(list(range(1, N + 1))) + events([begin(NEW), end()] * N)


def doubled_names(N):
    """2^60 bytes, and many that are made of them."""
    Names = [("P", [])] + [("P<\\000, \\000>", [I, I]) for I in range(1, 60)] + [("Q%x\\000" % I, [60]) for I in range(N)]
    return head() + names(Names) + entities(list(range(61, 61 + N))) + events([begin(NEW), end()] * N)


def long_text(N):
    """Half of the file is one text, which all names begin with."""
    Names = [("x" * (MEGABYTE // 2), [])] + [("\\000%x" % I, [1]) for I in range(N)]
    return head() + names(Names) + entities(list(range(2, N + 2))) + events([begin(NEW), end()] * N)


def shared_name(N):
    """Half of the file is one name, of scopes, that all entities have."""
    Names = [("a::" * (MEGABYTE // 6) + "f", []), ("Box<$>", [])]
    return head() + names(Names) + entities([1] * N, [2] * N, Kinds=range(1, 12)) + events([begin(NEW), end()] * N)


def many_scopes(N):
    """A name in so many scopes, each with another text before it."""
    return head() + names([("a::" * N + "f", [])]) + entities([1]) + events([begin(NEW), end()])


def open_quotes(N):
    """Names of quotes that nothing closes."""
    Names = [('\\"\\\\' * 30000, [])] + [("\\000<%x>" % I, [1]) for I in range(N)]
    return head() + names(Names) + entities(list(range(2, N + 2))) + events([begin(NEW), end()] * N)


def many_markers(N):
    Names = [("int, ", []), ("\\000" * N, [1] * N), ("\\000" * 400, [2] * 400), ("\\000" * 400, [3] * 400)]
    return head() + names(Names) + entities([4, 3, 2]) + events([begin(NEW), end()] * 3)


def queue(N):
    """Each body was asked for by the one before."""
    Records = [begin(NEW), end()] + [[INSTANTIATION << 2 | REQUESTED, 1, NEW, 0, 1], end()] * (N - 1)
    return head() + one_name(N) + events(Records)


def checks(N, Kind):
    Records = [begin(NEW)] + [begin(NEW, 0, Kind), end()] * (N - 1) + [end()]
    return head() + one_name(N) + events(Records)


def constraints(N):
    return checks(N, CONSTRAINTS)


def overloads(N):
    return checks(N, DEDUCED)


def nested_constraints(N):
    return head() + one_name(1) + events([begin(NEW)] + [begin(AGAIN, 0, CONSTRAINTS)] * N + [end()] * (N + 1))


def locations(N):
    """As many files as places, and an interval at each."""
    Files = [("/a/f%x.h" % I, []) for I in range(N)]
    Names = names([("Box<int>", []), ("Box<$>", [])] + Files)
    Places = packet("locations { first_id: 1 %s%s%s}" % (
        column("file", range(3, N + 3)), column("line", [0] * N), column("column", [1] * N)))
    return head() + Names + entities([1], [2]) + Places + events([begin(NEW, NEW), end()] + [begin(AGAIN, NEW), end()] * (N - 1))


def places_in(Names, Files):
    """An interval in each of so many lines of files with these dictionary ids."""
    N = len(Files)
    Places = packet("locations { first_id: 1 %s%s%s}" % (
        column("file", Files), column("line", [1] * N), column("column", [1] * N)))
    return head() + names([("Box<int>", []), ("Box<$>", [])] + Names) + entities([1], [2]) + Places + events(
        [begin(NEW, NEW), end()] + [begin(AGAIN, NEW), end()] * (N - 1))


def long_path(N):
    """Half of the file is the path that all places are in."""
    return places_in([("/a" * (MEGABYTE // 4), [])], [3] * N)


def deep_path(N):
    """The longest path that a file may have, with so many places within another."""
    return places_in([("/a" * 2047, [])], [3] * N).replace(
        events([begin(NEW, NEW), end()] + [begin(AGAIN, NEW), end()] * (N - 1)),
        events([begin(NEW, NEW)] + [begin(AGAIN, NEW)] * (N - 1) + [end()] * N))


def known_frames(N):
    """Lines beside each other, and then all of them within each other."""
    Places = packet("locations { first_id: 1 %s%s%s}" % (
        column("file", [3] * N), column("line", [1] * N), column("column", [1] * N)))
    Flat = [begin(NEW, NEW), end()] + [begin(AGAIN, NEW), end()] * (N - 1)
    Deep = [begin(AGAIN, 2 + N - At) for At in range(1, N + 1)] + [end()] * N
    return head() + names([("Box<int>", []), ("Box<$>", []), ("/a.h", [])]) + Places + entities([1], [2]) + events(Flat + Deep)


def shared_paths(N):
    """As many paths, which all have the same long text before their end."""
    Files = [("/a" * 50000, [])] + [("\\000/%x" % I, [3]) for I in range(N)]
    return places_in(Files, list(range(4, N + 4)))


def inclusions(N):
    """Files that include each other without an end, with a place in each."""
    Names = names([("Box<int>", []), ("Box<$>", []), ("a.cpp", []), ("b.h", [])])
    Chain = packet("inclusions { first_id: 1 %s%s%s%s%s}" % (
        column("path", [3] + [4] * (N - 1)), column("included_from", range(N)), column("line", [0] + [1] * (N - 1)),
        column("column", [0] * N), column("is_system", ["false"] * N)))
    Details = "".join("detail { element: %d inclusion: %d }\n" % (I, I + 1) for I in range(N))
    Places = packet("locations { first_id: 1 %s%s%s%s}" % (
        column("file", [3] + [4] * (N - 1)), column("line", [1] + [0] * (N - 1)), column("column", [1] * N), Details))
    return head() + Names + Chain + entities([1], [2]) + Places + events(
        [begin(NEW, NEW), end()] + [begin(AGAIN, NEW), end()] * (N - 1))


def nested_files(N):
    """Inclusions as intervals, each a file of its own."""
    Names = [("f%x.h" % I, []) for I in range(N)]
    Rows = entities(list(range(1, N + 1))).replace("1, 1", "8, 8").replace("kind: [1", "kind: [8")
    return head() + names(Names) + Rows + events([begin(NEW, 0, INCLUSION)] * N + [end()] * N)


def same_file(N):
    """A file that includes itself without an end."""
    Row = entities([1]).replace("kind: [1", "kind: [8")
    return head() + names([("/a" * 100, [])]) + Row + events(
        [begin(NEW, 0, INCLUSION)] + [begin(AGAIN, 0, INCLUSION)] * (N - 1) + [end()] * N)


def ways(N):
    """Half of the intervals within each other, the others beside each other in the innermost."""
    Names = [("n%x" % I, []) for I in range(N)]
    return head() + names(Names) + entities(list(range(1, N + 1))) + events(
        [begin(NEW)] * (N // 2) + [begin(NEW), end()] * (N - N // 2) + [end()] * (N // 2))


def sequences(N):
    return "".join(head(Sequence=I) for I in range(1, N + 1))


def small_packets(N):
    State = "events { first_time_ns: %d first_interval: %d first_entity: 1 first_location: 1 record: [%s] }"
    Records = ", ".join(map(str, begin() + end()))
    return head() + "".join(packet(State % (2 * I, I, Records)) for I in range(N))


def empty_packets(N):
    return head() + packet("") * N


def instants(N):
    return head() + one_name(1) + events([begin(NEW)] + [[MEMOIZATION << 2 | INSTANT, 0, AGAIN, 0]] * N + [end()])


def hits(N):
    return head() + one_name(1) + packet("memoized_hits { %s%s}" % (column("entity", [1] * N), column("hits", [1] * N)))


def arguments(N):
    return head('argv: "" ' * N + 'pch_inputs: "" ' * N)


def no_entities(N):
    """Ids that no row is for, far apart."""
    return head() + packet("events { first_entity: 4000000000 first_location: 2000000000 record: [%s] }"
                           % ", ".join(str(X) for _ in range(N) for X in begin(NEW, NEW) + end()))


def deep_ties(N):
    """Each within the one before, at one place, and with the same numbers."""
    Names = [("a.cpp", [])] + [("B%x" % I, []) for I in range(N)]
    Place = packet("locations { first_id: 1 file: 1 line: 1 column: 1 }")
    Records = [[INSTANTIATION << 2 | BEGIN, 0, NEW, NEW]] + [[INSTANTIATION << 2 | BEGIN, 0, NEW, AGAIN]] * (N - 1) + [[END, 0]] * N
    return head() + names(Names) + Place + entities(list(range(2, N + 2))) + events(Records)


def time_trace_quotes(N):
    """A name of quotes that nothing closes, in a file of -ftime-trace."""
    Event = {"ph": "X", "ts": 0, "dur": 1, "name": "InstantiateClass", "args": {"detail": '"\\' * N}}
    return json.dumps({"traceEvents": [Event]}).encode()


# Of each, about how many things a megabyte has.
FILES = {
    deep: 160000, deep_each: 32000, flat: 160000, many_entities: 95000, many_names: 38000, chain_of_names: 45000,
    doubled_names: 35000, long_text: 20000, shared_name: 45000, many_scopes: 330000, open_quotes: 36000, many_markers: 400000, queue: 85000, constraints: 95000, overloads: 95000,
    nested_constraints: 160000, locations: 36000, long_path: 36000, deep_path: 72000, known_frames: 60000, shared_paths: 32000,
    inclusions: 38000, nested_files: 42000, same_file: 160000, ways: 50000, sequences: 18000,
    small_packets: 30000, empty_packets: 90000, instants: 240000, hits: 480000, arguments: 240000, no_entities: 160000,
    deep_ties: 32000, time_trace_quotes: 240000,
}


def file_name(Make):
    return Make.__name__.replace("_", "-")


def make(Name, Count, Tool, Path):
    """Writes the file of so many things. A maker gives text, or the bytes of the file."""
    Content = {file_name(Make): Make for Make in FILES}[Name](Count)
    if isinstance(Content, bytes):
        with open(Path, "wb") as File:
            File.write(Content)
    else:
        subprocess.run([Tool, "assemble", "-", "-o", Path], input=Content.encode(), check=True)


def write_files(Tool, Folder, Wanted):
    """Pairs of a name and a path."""
    for Make, Count in FILES.items():
        Name = file_name(Make)
        if Wanted and Name not in Wanted:
            continue
        Path = os.path.join(Folder, Name + (".json" if Name.startswith("time-trace") else ".itrace"))
        make(Name, Count, Tool, Path)
        yield Name, Path


# The runs


class Runner:
    def __init__(self, Options, Tool, Folder):
        self.options, self.tool, self.folder = Options, Tool, Folder
        self.lock, self.count = threading.Lock(), 0
        self.budget = os.path.join(Folder, "a.budget")
        with open(self.budget, "w", encoding="utf-8") as File:
            File.write("count <= 1\nself(glob:*) < 1ms\n")

    def limit(self):
        Seconds, Bytes = self.options.seconds, self.options.megabytes * MEGABYTE
        resource.setrlimit(resource.RLIMIT_CPU, (Seconds, Seconds))
        resource.setrlimit(resource.RLIMIT_AS, (Bytes, Bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def run(self, Command, Path, Other):
        """(exit code or minus the signal, seconds of CPU, MB of memory, MB of output)"""
        with self.lock:
            self.count += 1
            Out = os.path.join(self.folder, "out-%d" % self.count)
        Partial = Path + ".partial"
        if "{partial}" in Command and not os.path.exists(Partial):
            os.link(Path, Partial)
        Words = [Word.format(Path, out=Out, other=Other, budget=self.budget, partial=Partial) for Word in Command]
        with open(Out + ".printed", "wb") as Printed:
            Process = subprocess.Popen([self.tool, *Words], stdin=subprocess.DEVNULL, stdout=Printed,
                                       stderr=subprocess.PIPE, preexec_fn=self.limit)
            Said = Process.stderr.read().decode(errors="replace")
            _, Status, Usage = os.wait4(Process.pid, 0)
        Process.returncode = 0  # it has been waited for
        Bytes = 0
        for Path in (Out, Out + ".printed"):
            if os.path.exists(Path):
                Bytes += os.path.getsize(Path)
                os.remove(Path)
        Code = os.waitstatus_to_exitcode(Status)
        if "out of memory" in Said:
            Code = -1000
        return Code, Usage.ru_utime + Usage.ru_stime, Usage.ru_maxrss / 1024, Bytes / 1e6


def main():
    Parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    Parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    Parser.add_argument("--seconds", type=int, default=30, help="of CPU for a run")
    Parser.add_argument("--megabytes", type=int, default=1024, help="of address space for a run")
    Parser.add_argument("--files", help="comma-separated names; all")
    Parser.add_argument("--commands", help="comma-separated commands; all")
    Parser.add_argument("--verbose", action="store_true", help="print each run")
    Parser.add_argument("--update", metavar="FILE", help="replace the part of FILE between the markers of this script")
    Options = Parser.parse_args()
    Tool = os.path.join(os.path.abspath(Options.build), "bin", "instantrace")
    Commands = [C for C in COMMANDS if not Options.commands or C[0] in Options.commands.split(",")]
    Rows, Bad = {}, 0
    with tempfile.TemporaryDirectory(prefix="instantrace-hostile-") as Folder:
        Files = list(write_files(Tool, Folder, Options.files and Options.files.split(",")))
        Sizes = {Name: os.path.getsize(Path) for Name, Path in Files}
        Run = Runner(Options, Tool, Folder)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as Pool:
            Jobs = [
                (Command, Name, Pool.submit(Run.run, Command, Path, Files[(I + 1) % len(Files)][1]))
                for I, (Name, Path) in enumerate(Files)
                for Command in Commands
            ]
            for Command, Name, Job in Jobs:
                Code, Seconds, Megabytes, Printed = Job.result()
                # An option that takes a file says nothing.
                HasOption = Command[1].startswith("--") and "{" not in Command[1] and Command[1] != "--source"
                Label = "tree -n 0" if Command[1] == "-n" else " ".join(Command[: 2 if HasOption else 1])
                Label += " --against" if "against" in Command[1] else ""
                Rows.setdefault(" ".join(Command), (Label, []))[1].append((Seconds, Megabytes, Name, Printed))
                IsBad = Code not in (0, 1, 3)
                Bad += IsBad
                if IsBad or Options.verbose:
                    print("%-16s %6.2f s %6.0f MB  %6.1f MB of output  exit %d  %s" % (Name, Seconds, Megabytes, Printed, Code, " ".join(Command)),
                          file=sys.stderr, flush=True)
    Text = "Command: `utils/dev bench hostile`; %s; %s.  \nFiles, with their bytes: %s.\n\n" % (
        machine(), datetime.date.today().isoformat(), ", ".join("%s %d" % Each for Each in Sizes.items()))
    Text += "| command | files | longest, s of CPU | with | most memory, MB | with | most output, MB | with |\n|---|---:|---:|---|---:|---|---:|---|\n"
    for Label, Runs in Rows.values():
        Slow, Big, Long = max(Runs), max(Runs, key=lambda R: R[1]), max(Runs, key=lambda R: R[3])
        Text += "| `%s` | %d | %.2f | %s | %.0f | %s | %.1f | %s |\n" % (
            Label, len(Runs), Slow[0], Slow[2], Big[1], Big[2], Long[3], Long[2])
    print(Text, end="")
    if Options.update:
        update(Options.update, Text + "\n", "utils/bench/hostile.py")
    return 1 if Bad else 0


if __name__ == "__main__":
    sys.exit(main())
