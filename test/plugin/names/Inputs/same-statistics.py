"""Compares what Clang reads from AST files without and with the plugin.

usage: same-statistics.py PLUGIN TRACE CLANG ARGUMENT...

Runs the command with -print-stats; the lines about the AST file reader that count
declarations, types, identifiers, statements and macros have to be the same.
"""

import re
import subprocess
import sys


def statistics(*Command):
    Result = subprocess.run(
        [*Command, "-Xclang", "-print-stats"],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    Text = Result.stderr.decode(errors="replace")
    return re.findall(
        r"^ +(\d+/\d+ (?:types|declarations|identifiers|statements|macros) read.*)",
        Text,
        re.MULTILINE,
    )


def main():
    Plugin, Trace, Clang, *Arguments = sys.argv[1:]
    Without = statistics(Clang, *Arguments)
    With = statistics(
        Clang,
        "-fplugin=" + Plugin,
        "-fplugin-arg-instantrace-output=" + Trace,
        *Arguments,
    )
    if not Without or With != Without:
        sys.exit("without: %s\nwith:    %s" % (Without, With))
    print("\n".join(With))


main()
