#!/usr/bin/env python3
"""Compares what why, tree, query and report say of traces with what they say of their
index: for people and for scripts, with each filter and level.

usage: same-asks.py [--only COMMAND] [--names N] [--few] TRACE|FOLDER...

Names are those of the costliest specializations and templates, without their arguments
and as patterns too, and one that there is not. Of a whole corpus it takes minutes;
--few asks each thing once.
"""

import argparse
import csv
import io
import subprocess
import sys

LEVELS = "specialization template class namespace library".split()
TABLES = "sequences intervals events entities locations files functions names".split()
VIEWS = "instantiations templates kinds lines backend requests".split()
QUERIES = [
    "SELECT count(*) FROM intervals",
    "SELECT kind, count(*), sum(self_ns) FROM intervals GROUP BY kind ORDER BY kind",
    "SELECT * FROM intervals WHERE sequence = 1 AND id = 3",
    "SELECT template, self_ns FROM templates ORDER BY self_ns DESC, template LIMIT 10",
    "SELECT requester, requested FROM requests ORDER BY 1, 2 LIMIT 20",
    "SELECT nonsense FROM intervals",
]


class Comparison:
    def __init__(self):
        self.Asked = self.Differ = self.Bytes = 0

    def answer(self, Words):
        Ran = subprocess.run(["instantrace"] + Words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        # Notes say what was made, warnings what is missing, in words of their own.
        Errors = [Line for Line in Ran.stderr.splitlines() if b"error:" in Line]
        return Ran.returncode, Ran.stdout, Errors

    def ask(self, Command, Options, Trace, *More):
        Right = self.answer([Command] + Options + [Trace] + list(More))
        Indexed = self.answer([Command, "--index"] + Options + [Trace] + list(More))
        self.Asked += 1
        self.Bytes += len(Right[1])
        if Right != Indexed:
            self.Differ += 1
            print("differs:", Command, *Options, Trace, *More)


def names_of(Trace, Wanted):
    """Of the costliest that there are, in each form that `why` takes."""
    for By, Style in (("specialization", ["--default-args"]), ("specialization", []), ("template", [])):
        Options = ["summary", "--csv", "--by=" + By, "--sort=count", "-n", str(Wanted + 3)] + Style
        Said = subprocess.run(["instantrace"] + Options + [Trace], stdout=subprocess.PIPE, check=True).stdout
        Names = [Row["name"] for Row in csv.DictReader(io.StringIO(Said.decode(errors="replace")))]
        for Name in [N for N in Names if not N.startswith("(")][:Wanted]:
            yield Name
            if "<" in Name:
                yield Name[: Name.index("<")]


def ask_why(C, Trace, Opts):
    Names = list(dict.fromkeys(names_of(Trace, Opts.names)))
    for Name in Names:
        C.ask("why", ["--json", "-n", "0", "--parameters"], Trace, Name)
        if not Opts.few:
            C.ask("why", [], Trace, Name)
            C.ask("why", ["--csv", "--level=specialization", "-n", "3", "--default-args"], Trace, Name)
    for Name in Names[:1]:
        for Options in (
            [["--level=" + Level] for Level in LEVELS]
            + [["--match=" + Name[:4]], ["--exclude=a"], ["--no-system"], ["--no-phases"], ["--min-time=1us"]]
            + [["--kind=instantiation"], ["--in=include"], ["--strip-args"]]
        ):
            C.ask("why", ["--json", "-n", "0"] + Options, Trace, Name)
    for Name in ("glob:*vector*", "regex:^.{1,12}$", "no such name", "", "e"):
        C.ask("why", ["--csv", "-n", "0"], Trace, Name)


def ask_tree(C, Trace, Opts):
    Forms = [["--json"], ["-n", "0", "--csv"], []]
    for Form in Forms[: 1 if Opts.few else 3]:
        for Options in (
            [[], ["--parameters"], ["--default-args"], ["--max-depth=2"], ["--min-time=20us"], ["-n", "7"]]
            + [["--requested-by"], ["--no-system"], ["--no-phases"], ["--match=a"], ["--exclude=a"]]
            + [["--kind=instantiation"], ["--in=include"]]
            + [["--level=" + Level] for Level in LEVELS]
        ):
            C.ask("tree", Form + Options, Trace)


def ask_query(C, Trace, Opts):
    for Table in TABLES + VIEWS:
        C.ask("query", ["--csv"], Trace, "SELECT * FROM " + Table)
        if not Opts.few:
            C.ask("query", ["--json", "--parameters", "--default-args"], Trace, "SELECT * FROM %s LIMIT 100" % Table)
            C.ask("query", ["--max-name=40"], Trace, "SELECT * FROM %s LIMIT 100" % Table)
    for Sql in QUERIES:
        C.ask("query", [], Trace, Sql)
    C.ask("query", ["--schema"], Trace)


def ask_report(C, Trace, Opts):
    for Options in [["-o-"], ["-o-", "--no-source", "--no-system"], ["-o-", "--max-size=900000"]][: 1 if Opts.few else 3]:
        C.ask("report", Options, Trace)
    C.ask("report", ["-o-", "--against=" + Trace], Trace)


COMMANDS = {"why": ask_why, "tree": ask_tree, "query": ask_query, "report": ask_report}


def main(Arguments):
    Parser = argparse.ArgumentParser()
    Parser.add_argument("--only", choices=COMMANDS)
    Parser.add_argument("--names", type=int, default=5)
    Parser.add_argument("--few", action="store_true")
    Parser.add_argument("traces", nargs="+")
    Opts = Parser.parse_args(Arguments)
    Failed = 0
    for Command in [Opts.only] if Opts.only else COMMANDS:
        C = Comparison()
        for Trace in Opts.traces:
            COMMANDS[Command](C, Trace, Opts)
        print("%s: %d of %d answers differ, of %d bytes" % (Command, C.Differ, C.Asked, C.Bytes))
        Failed += C.Differ
    return Failed != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
