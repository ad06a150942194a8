#!/usr/bin/env python3
"""What the server of an editor costs: until its first answer, each answer, and its memory.

usage: editor.py [--units N] [--lines N] [--rounds N] [--clang CLANG] [--tool PATH] [--folder DIR]

Records one unit of so many lines, of which each asks for a template; a session of N units has
links to its trace under N names. The editor opens that file. Memory is the largest so far, once
lines have costs and once there is advice.
"""

import os
import sys
import time

from session import ROOT, parser, recorded_unit, run_in_folder, session, spread

sys.path.insert(0, os.path.join(ROOT, "test", "tool", "lsp", "Inputs"))
from lsp_client import Client


def largest_mb(Pid):
    with open("/proc/%d/status" % Pid) as File:
        return int(next(L for L in File if L.startswith("VmHWM:")).split()[1]) / 1000


def timed(Act):
    Start = time.monotonic()
    Act()
    return (time.monotonic() - Start) * 1000


def measure(Opts, Folder):
    os.makedirs(Folder, exist_ok=True)
    Opts.unit = os.path.join(Folder, "lines.cpp")
    with open(Opts.unit, "w") as File:
        File.write("#include <map>\n#include <string>\ntemplate <int N> struct Line { int Of[N]; };\n")
        for Line in range(4, Opts.lines + 1):
            File.write("int line%d(Line<%d> &L) { return L.Of[0]; }\n" % (Line, Line))
    os.utime(Opts.unit, (1577836800, 1577836800))
    Build = session(recorded_unit(Opts, os.path.join(Folder, "source")), int(Opts.units), os.path.join(Folder, "build"))
    Editor = Client(Opts.tool, "--session", Build, Folder=Folder, Options={"minimumCost": 0, "codeLens": True, "inlayHints": True},
                    Can={"textDocument": {"inlayHint": {}, "diagnostic": {}},
                         "workspace": {"diagnostics": {"refreshSupport": True}}})
    print("%s units, %d lines, load %.1f\n" % (Opts.units, Opts.lines, os.getloadavg()[0]))
    print("| | |\n|---|---:|")
    Start = time.monotonic()
    Editor.open(Opts.unit)
    Hints = Editor.hints(Opts.unit)
    assert len(Hints) > Opts.lines * 0.9, len(Hints)
    print("| first hints, s | %.1f |" % (time.monotonic() - Start))
    print("| memory then, MB | %.0f |" % largest_mb(Editor.Process.pid), flush=True)

    def is_advised():
        Editor.lenses(Opts.unit + ".absent")  # what came before its answer is kept
        return any(M.get("method") == "workspace/diagnostic/refresh" for M in Editor.Others)

    Editor.wait_for(is_advised, PauseSeconds=0.5)
    print("| advice, s | %.1f |" % (time.monotonic() - Start))
    print("| memory then, MB | %.0f |" % largest_mb(Editor.Process.pid), flush=True)
    with open(Opts.unit) as File:
        Text = File.read()
    Acts = {
        "hints of the whole file": lambda: Editor.hints(Opts.unit),
        "hints of 50 lines": lambda: Editor.hints(Opts.unit, 1000, 1050),
        "lenses": lambda: Editor.lenses(Opts.unit),
        "table of a line": lambda: Editor.hover(Opts.unit, 1),
        "code actions": lambda: Editor.actions(Opts.unit),
        "a line more, and hints": lambda: (Editor.change(Opts.unit, "// New.\n" * len(Editor.Others) + Text), Editor.hints(Opts.unit)),
    }
    for Name, Act in Acts.items():
        print("| %s, ms | %s |" % (Name, spread([timed(Act) for _ in range(Opts.rounds)], "%.1f")), flush=True)
    assert Editor.end() == 0


def main():
    Parser = parser(__doc__, "1000")
    Parser.add_argument("--lines", type=int, default=5000)
    Parser.set_defaults(rounds=20)
    run_in_folder(Parser.parse_args(), measure)


if __name__ == "__main__":
    main()
