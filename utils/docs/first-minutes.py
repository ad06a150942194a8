#!/usr/bin/env python3
"""Writes docs/use/first-ten-minutes.md: what a newcomer's first commands print,
with nothing of this repository but its packages; or checks it.

usage: first-minutes.py [--check] [--system ROOT] PAGE.md PACKAGES MAJOR CLANG INPUTS

PACKAGES is a folder with the .deb files that cpack has made, which are installed
below a folder of their own; CLANG is called clang++ there, and the commands run
in a copy of INPUTS. The page is written as outputs.py writes others. With --system,
ROOT is a whole system that has the packages and CLANG already (clean-system.py):
commands run in it as root, and nothing of this machine is there.

Times, sizes and what depends on them differ between two runs, so --check compares
what is left of the page and of what is printed: numbers of times and sizes are
masked, and the rows of a table count as one, however many are above a limit.
"""

import argparse
import difflib
import os
import re
import shlex
import shutil
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "utils", "docs"), os.path.join(ROOT, "test", "packaging", "Inputs")]
sys.dont_write_bytecode = True

from outputs import Shell, written  # noqa: E402
from root_of_packages import PackageRoot, check  # noqa: E402

# A folder of one run.
SOCKETS = re.compile(re.escape(tempfile.gettempdir()) + r"/instantrace-\w{6}")

MASKS = (
    # What else a machine has, and which of two times is longer.
    (re.compile(r"^(  (?:ok|note) +[^:]+): .*"), r"\1"),
    (re.compile(r"^(whole time|time in these rows): .*|^(whole time|time in these rows) .*"), "time"),
    (re.compile(r"instantrace-\d{8}-\d{6}(?:-\d+)?"), "SESSION"),
    (re.compile(r"-[0-9a-f]{12}\.itrace"), "-HASH.itrace"),
    (re.compile(r"[-+−]?\d[\d,.]* (?:ns|µs|ms|s|B|kB|MB|GB|%)(?![\w/])"), "N"),
    (re.compile(r"\d[\d,]*(?: of \d[\d,]*)? (rows?|suggestions?|more|without change)\b"), r"N \1"),
    (re.compile(r"\bN (row|suggestion)\b"), r"N \1s"),
    (re.compile(r"^(N suggestions); .*"), r"\1"),
    (re.compile(r"; -n 0 shows all$"), ""),
    # Rows of the first screen, and the other lines of a suggestion.
    (re.compile(r"^  \S.*  N +[<\dN].*|^     \S.*"), "  N"),
    # What is not template work, in the order of its times.
    (re.compile(r"^N of the time is not template work: .*|^  .*\w N \(N\).*"), "  N"),
    # Which file costs most, and what is beside the command.
    (re.compile(r"^(Next: |      )(instantrace \S+ \S+).*"), r"\1\2"),
    # Of two compiles that are nearly the same, either has more.
    (re.compile(r"^Peak memory: .*"), "memory"),
    # What else ran on the machine.
    (re.compile(r"^instantrace: N? ?.* (?:process|processes) ran meanwhile; .*"), ""),
    (re.compile(r"-{20,}"), "---"),
)


def masked(Lines):
    """What two runs have in common."""
    Last, InVerdict = None, False
    for Line in Lines:
        # What else grew depends on the times: one sentence of several lines.
        InVerdict = bool(Line) and (InVerdict or Line.startswith("Work changed: "))
        if InVerdict:
            continue
        for What, As in MASKS:
            Line = What.sub(As, Line)
        # Rows of a table, and what is below a row.
        if re.match(r"\s+[\dN+-]|\s{8}", Line):
            Line = "(rows)"
        # A masked line beside an empty one is as if it were not there.
        if Line not in ("(rows)", "") or Line != Last:
            yield Line
        Last = Line


class ShellOfSystem(Shell):
    """Runs commands in a system of its own."""

    def __init__(self, Root, Clang, Inputs):
        super().__init__(Inputs, os.path.join(Root, "srv"))
        self.root = Root
        self.environment.update(PATH="/usr/local/bin:/usr/bin:/bin", HOME="/srv")
        Named = os.path.join(Root, "usr/local/bin/clang++")
        os.makedirs(os.path.dirname(Named), exist_ok=True)
        # From the same packages as here, so at the same place.
        os.symlink(shutil.which(Clang), Named)

    def run(self, Command):
        Inside = "cd /srv/shop && " + Command
        return [Line.replace("/srv/shop/", "/shop/") for Line in super().run("exec /usr/sbin/chroot %s bash -c %s" % tuple(map(shlex.quote, (self.root, Inside))))]


def main():
    Parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    Parser.add_argument("--check", action="store_true")
    Parser.add_argument("--system", metavar="ROOT")
    for Name in ("page", "packages", "major", "clang", "inputs"):
        Parser.add_argument(Name)
    Opts = Parser.parse_args()
    with open(Opts.page, encoding="utf-8") as File:
        Page = File.read().splitlines()
    with tempfile.TemporaryDirectory(prefix="instantrace-docs-") as Scratch:
        if Opts.system:
            Around, Here = Opts.system, ShellOfSystem(Opts.system, Opts.clang, Opts.inputs)
        else:
            Root = PackageRoot(Opts.packages, os.path.join(Scratch, "fresh"))
            check(Root.install("instantrace", "instantrace-clang-" + Opts.major))
            os.symlink(shutil.which(Opts.clang), os.path.join(Root.binaries(), "clang++"))
            os.environ["PATH"] = Root.binaries() + ":/usr/bin:/bin"
            Around, Here = Root.root, Shell(Opts.inputs, Scratch)
        New = [SOCKETS.sub("…/instantrace-XXXXXX", Line.replace(Around, "")) for Line in written(Page, Here.run)]
    if not Opts.check:
        with open(Opts.page, "w", encoding="utf-8") as File:
            File.write("\n".join(New) + "\n")
        return 0
    Differences = list(difflib.unified_diff(list(masked(Page)), list(masked(New)), "the page, masked", "what is printed, masked", lineterm=""))
    if Differences:
        print("\n".join(Differences))
        print("%s: not what the tool prints; if that is meant, write it anew and commit it" % os.path.basename(Opts.page))
    return 1 if Differences else 0


if __name__ == "__main__":
    sys.exit(main())
