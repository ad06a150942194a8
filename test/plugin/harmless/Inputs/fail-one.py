"""Each thing that the plugin asks of the system fails once, by count.

usage: fail-one.py [--all] [--every N] [--under NAME] [--from] [--crash]
                   CLANG PLUGIN SCRATCH SOURCE [OPTION...]

A first compile counts the calls that the plugin makes or has made: memory,
mappings, files (fail-one.c lists them). Then one compile for each of them in
which that call fails: the exit code, the object and what Clang says are those
of a plain compile, the plugin says one line at most, and what is left is a
trace that verifies, or nothing, or what `instantrace recover` makes a trace of.
Without --all, one call of each path by which Clang comes to it. --every N
leaves out all but each Nth of these, and --under NAME all but those where
we were called by a function with NAME in its symbol. With --from there is no memory any more
after it, either. With --crash the compiler crashes in that call: it ends as after
any crash, and what is left is nothing, or what gives a trace
in which everything has its name. The options are for the plugin.
"""

import argparse
import os
import re
import signal
import subprocess
import sys

HANG_SECONDS = 120
LINE = re.compile(r"instantrace: warning: .*")
LEFT = re.compile(r"instantrace recover (.*)$")
CUT_SHORT = "instantrace: the compile was cut short;"


class Compiler:
    def __init__(self, Args):
        self.Args = Args
        self.Library = os.path.join(Args.scratch, "fail-one.so")
        Source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fail-one.c")
        subprocess.run(
            [Args.clang, "-x", "c", "-shared", "-fPIC", "-O1", Source]
            + ["-o", self.Library, "-ldl", "-lgcc_s"],
            check=True,
        )

    def run(self, Folder, HasPlugin=True, FailAt=0, Log=None):
        """(exit code, lines on stderr, object)"""
        os.makedirs(Folder)
        # What is used after it was freed has no sense.
        Environment = dict(os.environ, LD_PRELOAD=self.Library, FAIL_AT=str(FailAt), MALLOC_PERTURB_="165")
        if Log:
            Environment["FAIL_LOG"] = Log
        if getattr(self.Args, "from"):
            Environment["FAIL_FROM"] = "1"
        if self.Args.crash:
            Environment["FAIL_SIGNAL"] = str(int(signal.SIGSEGV))
            Environment["LLVM_DISABLE_SYMBOLIZATION"] = "1"
        Plugin = ["-fplugin=" + self.Args.plugin]
        Plugin += ["-fplugin-arg-instantrace-" + Option for Option in self.Args.options]
        Result = subprocess.run(
            [self.Args.clang, "-fno-crash-diagnostics"]
            + (Plugin if HasPlugin else [])
            + ["-c", self.Args.source, "-o", "a.o"],
            cwd=Folder,
            env=Environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=HANG_SECONDS,
        )
        Object = os.path.join(Folder, "a.o")
        Bytes = None
        if os.path.exists(Object):
            with open(Object, "rb") as File:
                Bytes = File.read()
        Lines = Result.stdout.decode(errors="replace").splitlines()
        Lines += Result.stderr.decode(errors="replace").splitlines()
        return Result.returncode, Lines, Bytes


def fault(Args, Folder, Plain, Found):
    """What is wrong after a compile in Folder; empty if nothing is."""
    Code, Lines, Object = Found
    Ours = [L for L in Lines if LINE.fullmatch(L)]
    if Code != Plain[0]:
        return "exit code %d: %s" % (Code, Lines[:3])
    if [L for L in Lines if L not in Ours] != Plain[1]:
        return "Clang says %s" % Lines
    if Object != Plain[2]:
        return "another object"
    if len(Ours) > 1:
        return "we say %s" % Ours
    Left = sorted(Name for Name in os.listdir(Folder) if Name != "a.o")
    Recover = LEFT.search(Ours[0]) if Ours else None
    if Recover:
        Trace = os.path.join(Folder, "recovered.itrace")
        Report = tool("recover", "-o", Trace, Recover.group(1))
        if Report:
            return "recover: " + Report
        return tool("verify", Trace)
    if Left == ["a.itrace"]:
        return tool("verify", os.path.join(Folder, "a.itrace"))
    if Left and getattr(Args, "from"):  # and the line about it failed, too
        return tool("recover", "--remove", Folder)
    return "left behind: %s; we say %s" % (Left, Ours) if Left else ""


def fault_of_crash(Folder, Found):
    """The same after a crash."""
    Code, Lines, Object = Found
    Ours = [L for L in Lines if L.startswith(CUT_SHORT)]
    if not 0 < Code < 255 or not any("Stack dump" in L for L in Lines):
        return "exit code %d: %s" % (Code, Lines[:3])
    if len(Ours) > 1:
        return "we say %s" % Ours
    # Before the first event and after the last there is nothing to say; what is
    # left then, the next compile replaces.
    if not Ours:
        return ""
    Trace = os.path.join(Folder, "recovered.itrace")
    # Whatever was torn when it crashed, all names are there.
    Buffer = LEFT.search(Ours[0]).group(1)
    Reason = tool("recover", "-o", Trace, Buffer, Unwanted="without name")
    return Reason or tool("verify", Trace)


def tool(*Arguments, Unwanted=None):
    """What the tool complains of; empty if it does not."""
    Result = subprocess.run(
        ["instantrace", *Arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    Text = Result.stdout.decode(errors="replace")
    return Text if Result.returncode or Unwanted and Unwanted in Text else ""


def chosen(Calls, Args):
    Seen = set()
    for Number, Call in enumerate(Calls, 1):
        Function, Path, Caller = Call.split()
        if (Args.all or Path not in Seen) and Args.under in Caller:
            Seen.add(Path)
            yield Number


def count_lines(Path):
    with open(Path) as File:
        return len(File.readlines())


def main():
    Parser = argparse.ArgumentParser()
    for Name in ("clang", "plugin", "scratch", "source"):
        Parser.add_argument(Name)
    Parser.add_argument("--all", action="store_true")
    Parser.add_argument("--every", type=int, default=1)
    Parser.add_argument("--under", default="")
    Parser.add_argument("--from", action="store_true")
    Parser.add_argument("--crash", action="store_true")
    Parser.add_argument("options", nargs="*")
    Args = Parser.parse_args()
    Compile = Compiler(Args)

    def folder(Name):
        return os.path.join(Args.scratch, Name)

    Plain = Compile.run(folder("plain"), HasPlugin=False)
    Log = folder("calls")
    Whole = fault(Args, folder("whole"), Plain, Compile.run(folder("whole"), Log=Log))
    if Whole:
        sys.exit("before anything fails: " + Whole)
    with open(Log) as File:
        Calls = File.read().splitlines()
    Numbers = list(chosen(Calls, Args))[:: Args.every]
    Faults = 0
    Traces = 0
    for Number in Numbers:
        Folder = folder(str(Number))
        Found = Compile.run(Folder, FailAt=Number, Log=Log if Args.crash else None)
        if Args.crash:
            # How many statements are recorded, and so the calls, differ a little from run to run.
            Reason = fault_of_crash(Folder, Found) if count_lines(Log) >= Number else ""
        else:
            Reason = fault(Args, Folder, Plain, Found)
        Traces += os.path.exists(os.path.join(Folder, "a.itrace"))
        if Reason:
            Faults += 1
            print("call %d, %s: %s" % (Number, Calls[Number - 1], Reason))
    print(
        "%d of %d calls made to fail: %d faults, %d whole traces"
        % (len(Numbers), len(Calls), Faults, Traces)
    )
    sys.exit(1 if Faults else 0)


main()
