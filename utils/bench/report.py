#!/usr/bin/env python3
"""What a page of `report` costs, over the number of units of a build.

usage: report.py [--units N,N,...] [--rounds N] [--clang CLANG] [--unit FILE.cpp]
                 [--session DIR] [--tool PATH] [--folder DIR] [--browser] [-- OPTION...]

Records what session.py records, and makes sessions of N units of it in the same way:
links to their traces under N names. Each report is made with the OPTIONs. A cell is
the median of the rounds with least and most: user and system time, wall time, the
largest resident set, and the bytes of the page. With --browser, which needs Debian's own
/usr/bin/python3 for its Selenium, each page is opened in headless Chromium: when the first content is painted, and when the first screen is filled,
from the begin of the navigation.
"""

import json
import os
import subprocess
import sys

from session import parser, recorded_unit, run_in_folder, session, spread
from spent import spent
from store import ROOT, recorded


def intervals(Tool, Session):
    Out = subprocess.run([Tool, "summary", "--json", "--by=kind", "-n", "0", Session], check=True, stdout=subprocess.PIPE).stdout
    return sum(R["count"] for R in json.loads(Out)["rows"])


def measured(Opts, Session, Page):
    """(CPU, wall seconds, bytes of memory, bytes of the page)"""
    Wall, Cpu, Memory = spent([Opts.tool, "report", *Opts.options, "-o", Page, Session])
    return Cpu, Wall, Memory, os.path.getsize(Page)


# The frame after the one in which the last list of the first screen has something.
FILLED = """
const look = () => document.querySelector("#top-line li")
  ? requestAnimationFrame(() => { window.filledMs = performance.now(); }) : requestAnimationFrame(look);
requestAnimationFrame(look);
"""


def opened(File):
    """(first content, first screen) in seconds; Chromium is ended by its driver."""
    sys.path.append(os.path.join(ROOT, "test", "tool", "report", "Inputs"))
    from page import Page

    Shown = Page(File, At="")
    Shown.Driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": FILLED})
    with Shown as P:
        P.Driver.set_script_timeout(60)
        Filled = P.Driver.execute_async_script(
            "const wait = () => window.filledMs ? arguments[0](window.filledMs) : setTimeout(wait, 10); wait()")
        return P.run("return performance.getEntriesByName('first-contentful-paint')[0].startTime") / 1e3, Filled / 1e3


def measure(Opts, Folder):
    Source = os.path.join(Folder, "source")
    if Opts.session:
        Sessions = [Opts.session]
    else:
        Sessions = recorded_unit(Opts, Source) if Opts.unit else recorded(Opts.tool, Opts.clang, Source)
    Builds = [(N, session(Sessions, N, os.path.join(Folder, str(N)))) for N in map(int, Opts.units.split(","))]
    Samples = {N: [] for N, _ in Builds}
    for _ in range(Opts.rounds):
        for N, Build in Builds:
            Page = os.path.join(Folder, "page.html")
            Samples[N].append(measured(Opts, Build, Page) + (opened(Page) if Opts.browser else ()))
    print("%d rounds, %d processors, load %.1f\n" % (Opts.rounds, len(os.sched_getaffinity(0)), os.getloadavg()[0]))
    Columns = ["units", "intervals", "traces, MB", "CPU, s", "wall, s", "memory, MB", "page, MB"]
    Columns += ["first paint, s", "first screen, s"] if Opts.browser else []
    print("| %s |\n|%s" % (" | ".join(Columns), "---:|" * len(Columns)))
    for N, Build in Builds:
        Bytes = sum(os.stat(E.path).st_size for E in os.scandir(Build) if E.name.endswith(".itrace"))
        Cpu, Wall, Memory, Page, *Browser = zip(*Samples[N])
        Cells = ["%d" % N, "%d" % intervals(Opts.tool, Build), "%.1f" % (Bytes / 1e6), spread(Cpu, "%.2f"), spread(Wall, "%.2f"),
                 "%.0f" % (max(Memory) / 1e6), "%.1f" % (max(Page) / 1e6)]
        Cells += [spread(Times, "%.2f") for Times in Browser]
        print("| %s |" % " | ".join(Cells))


def main():
    Parser = parser(__doc__, "1,10,100")
    Parser.add_argument("--browser", action="store_true", help="open each page in Chromium")
    Parser.add_argument("options", nargs="*", help="of `report`, behind --")
    run_in_folder(Parser.parse_args(), measure)


if __name__ == "__main__":
    main()
