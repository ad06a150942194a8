"""A type whose name would have more than a terabyte: what a profile of it costs.

usage: long_name.py [--clang CLANG++] [--plugin LIBINSTANTRACE.SO] [--seconds N]

Compiles test/plugin/names/too-long-name.cpp without a profiler, with the plugin, and
with -ftime-trace, each with at most N seconds (60) and 16 GiB of address space.
Prints time, memory and the size of the profile; "ended by the limit" is no time.
"""

import argparse
import os
import resource
import subprocess
import tempfile
import time

from run import MAJORS, ROOT

SOURCE = os.path.join(ROOT, "test", "plugin", "names", "too-long-name.cpp")
LIMIT_BYTES = 16 << 30


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(Command, Folder, Seconds):
    """(what became of it, seconds, MB of memory)"""
    Start = time.monotonic()
    Process = subprocess.Popen(Command, cwd=Folder, stderr=subprocess.DEVNULL, preexec_fn=limit)
    Outcome = None
    while Outcome is None:
        Pid, Status, Usage = os.wait4(Process.pid, os.WNOHANG)
        if Pid:
            Code = os.waitstatus_to_exitcode(Status)
            Outcome = "compiled" if Code == 0 else "exit %d" % Code
        elif time.monotonic() - Start > Seconds:
            Process.kill()
            Usage = os.wait4(Process.pid, 0)[2]
            Outcome = "ended by the limit of %d s" % Seconds
        else:
            time.sleep(0.005)
    Process.returncode = 0  # it has been waited for
    return Outcome, time.monotonic() - Start, Usage.ru_maxrss / 1000


def main():
    Parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    Parser.add_argument("--clang", default="clang++-%d" % MAJORS[-1])
    Parser.add_argument("--plugin", default=os.path.join(ROOT, "build", "lib", "instantrace", "libinstantrace.so"))
    Parser.add_argument("--seconds", type=int, default=60)
    Options = Parser.parse_args()
    Compile = [Options.clang, "-fno-crash-diagnostics", "-c", SOURCE, "-o", "a.o"]
    Runs = [
        ("no profiler", [], None),
        ("Instantrace", ["-fplugin=" + os.path.abspath(Options.plugin)], "a.itrace"),
        ("-ftime-trace", ["-ftime-trace", "-ftime-trace-granularity=0"], "a.json"),
    ]
    print("%-14s %8s %10s %12s  %s" % ("", "seconds", "memory", "profile", "outcome"))
    for Name, Words, Profile in Runs:
        with tempfile.TemporaryDirectory() as Folder:
            Outcome, Seconds, Megabytes = run(Compile + Words, Folder, Options.seconds)
            Path = os.path.join(Folder, Profile) if Profile else ""
            Size = "%d B" % os.path.getsize(Path) if os.path.exists(Path) else "-"
        print("%-14s %8.2f %7.0f MB %12s  %s" % (Name, Seconds, Megabytes, Size, Outcome), flush=True)


if __name__ == "__main__":
    main()
