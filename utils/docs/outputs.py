#!/usr/bin/env python3
"""Writes what commands print into a page of the documentation, or checks it.

usage: outputs.py [--check] [--some] PAGE.md INPUTS

In PAGE, each line `$ COMMAND` of a ```console block is run by bash in a folder
with a copy of INPUTS, and what it prints becomes the lines below it, with the
exit code where that is not 0. A line `<!-- run: COMMAND -->` is run, too, and
shows nothing. Commands run in the order of the page, each may use what those
before it made, and all take the `instantrace` of PATH.

--check changes nothing, and fails where a command of the page no longer runs as it
did there: with another exit code, or with output where there was none. What is
printed is tested where it is made. Either way, it is an error if a command of
`instantrace help -a` is in no block, unless --some says that the page is not about all.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

# How the page calls what differs between two runs.
PROCESS = (re.compile(r"\bprocess \d+"), "process 4711")


class Shell:
    """Runs commands in a folder of their own."""

    def __init__(self, Inputs, Scratch):
        self.folder = os.path.join(Scratch, "shop")
        shutil.copytree(Inputs, self.folder)
        # Nothing of the caller may change what is printed.
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": Scratch,
            "LC_ALL": "C.UTF-8",
            "COLUMNS": "100",
        }

    def run(self, Command):
        Done = subprocess.run(
            ["bash", "-c", Command],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            timeout=300,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        Text = Done.stdout.decode().replace(self.folder + "/", "/shop/")
        Text = PROCESS[0].sub(PROCESS[1], Text)
        Lines = [Line.rstrip() for Line in Text.splitlines()]
        if Done.returncode != 0:
            Lines.append("[exit code %d]" % Done.returncode)
        return Lines


def written(Page, Run):
    """The lines of the page as they are to be."""
    InBlock = False
    for Line in Page:
        Hidden = re.fullmatch(r"<!-- run: (.*) -->", Line)
        if Line.startswith("```"):
            InBlock = Line == "```console"
            yield Line
        elif Hidden:
            Run(Hidden.group(1))
            yield Line
        elif not InBlock:
            yield Line
        elif Line.startswith("$ "):
            yield Line
            yield from Run(Line[2:])


def outcomes(Page):
    """For each command its line, its exit code, and whether it prints anything."""
    for Block in blocks(Page):
        for Shown in re.split(r"^(?=\$ )", Block, flags=re.M)[1:]:
            Command, *Output = Shown.splitlines()
            Code = re.fullmatch(r"\[exit code (\d+)\]", Output[-1]) if Output else None
            yield Command, int(Code[1]) if Code else 0, len(Output) > (1 if Code else 0)


def blocks(Page):
    return re.findall(r"^```console\n(.*?)^```", "\n".join(Page), re.M | re.S)


def commands():
    """Those that `instantrace help -a` lists."""
    Help = subprocess.run(["instantrace", "help", "-a"], check=True, capture_output=True, text=True).stdout
    return re.findall(r"^  ([a-z]+)  ", Help[: Help.index("\nOptions:")], re.M)


def main():
    Parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    Parser.add_argument("--check", action="store_true")
    Parser.add_argument("--some", action="store_true")
    Parser.add_argument("page")
    Parser.add_argument("inputs")
    Opts = Parser.parse_args()
    with open(Opts.page, encoding="utf-8") as File:
        Page = File.read().splitlines()
    Name = os.path.basename(Opts.page)
    Shown = "\n".join(blocks(Page))
    Wanted = [] if Opts.some else commands()
    Missing = [C for C in Wanted if not re.search(r"\binstantrace %s\b" % C, Shown)]
    for Command in Missing:
        print("%s: no output of `instantrace %s`; add a line `$ instantrace %s ...` to a ```console block"
              " and run utils/dev docs" % (Name, Command, Command))
    with tempfile.TemporaryDirectory(prefix="instantrace-docs-") as Scratch:
        New = list(written(Page, Shell(Opts.inputs, Scratch).run))
    if not Opts.check:
        with open(Opts.page, "w", encoding="utf-8") as File:
            File.write("\n".join(New) + "\n")
        return 1 if Missing else 0
    Changed = [(Was, Is) for Was, Is in zip(outcomes(Page), outcomes(New)) if Was != Is]
    for (Command, Code, Prints), (_, NewCode, NewPrints) in Changed:
        print("%s: `%s` exits with %d and prints %s; the page has %d and %s"
              % (Name, Command, NewCode, "something" if NewPrints else "nothing", Code, "something" if Prints else "nothing"))
    return 1 if Missing or Changed else 0


if __name__ == "__main__":
    sys.exit(main())
