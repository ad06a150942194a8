"""Counts the instructions of one compile with valgrind's callgrind.

Flow:   a clang++ command -> its -cc1 line -> valgrind -> callgrind's file -> Profile
Leaves: what is measured, and what the numbers mean, to cost.py

The number of instructions depends on the program and its input and hardly on the
machine: not on its load, its clock or its caches. What does depend on it is in other
people's libraries (glibc picks its memcpy by the processor, the dynamic linker looks
through what is loaded), so numbers are kept apart by object file.
"""

import os
import re
import shlex
import shutil
import subprocess
import tempfile


class Failure(Exception):
    """A step that did not work; its text says which."""


def valgrind(Out):
    return [shutil.which("valgrind"), "--tool=callgrind", "--callgrind-out-file=" + Out]


def reason_to_skip():
    """Why nothing can be counted here, "" if it can."""
    if not shutil.which("valgrind"):
        return "valgrind is not installed"
    Command = valgrind(os.devnull) + [shutil.which("true")]
    Done = subprocess.run(Command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return "" if Done.returncode == 0 else "valgrind does not run here: " + " ".join(Done.stderr.split())[-300:]


def cc1_line(Command, Folder, Environment):
    """What the driver would run for Command: the compiler itself, without a fork."""
    Done = subprocess.run(Command + ["-###"], cwd=Folder, env=Environment, capture_output=True, text=True)
    Lines = [L for L in Done.stderr.splitlines() if '"-cc1"' in L]
    if Done.returncode != 0 or len(Lines) != 1:
        raise Failure("no single compile: %s\n%s" % (shlex.join(Command), Done.stderr[:500]))
    return shlex.split(Lines[0])


def count(Command, Folder, Environment):
    """The Profile of a -cc1 line, run in Folder."""
    with tempfile.TemporaryDirectory(prefix="instantrace-callgrind-") as Scratch:
        Out = os.path.join(Scratch, "out")
        # Positions are not used; without them compressed the file is read faster.
        Command = valgrind(Out) + ["--compress-pos=no"] + Command
        Done = subprocess.run(Command, cwd=Folder, env=Environment, stdin=subprocess.DEVNULL, capture_output=True)
        if Done.returncode != 0 or not os.path.exists(Out):
            Text = Done.stderr.decode(errors="replace")
            raise Failure("exit code %d of %s\n%s" % (Done.returncode, shlex.join(Command), Text[-2000:]))
        with open(Out, encoding="utf-8", errors="replace") as File:
            return Profile(File)


def count_compile(Command, Folder, Environment):
    """The same of a clang++ command."""
    return count(cc1_line(Command, Folder, Environment), Folder, Environment)


class Profile:
    """Instructions of one run.

    own: {(object, function): itself}, what is inlined into it included; calls:
    {(caller, callee): (number, instructions until they return)}, each a pair as in own.
    """

    def __init__(self, Lines):
        self.own, self.calls = {}, {}
        Total = Calls = None
        Now = {}  # where the next line of costs belongs: ob=, fn=, cob= and cfn=
        Known = {"ob": {}, "fn": {}}  # each name is written once, with a number
        for Line in Lines:
            if Line[0].isdigit() or Line[0] in "+-*":
                Cost, Here = int(Line.split()[1]), (Now.get("ob"), Now.get("fn"))
                if Calls is None:
                    self.own[Here] = self.own.get(Here, 0) + Cost
                    continue
                Edge = (Here, (Now.pop("cob", Here[0]), Now["cfn"]))
                Number, Inside = self.calls.get(Edge, (0, 0))
                self.calls[Edge] = (Number + Calls, Inside + Cost)
                Calls = None
            elif Line.startswith("calls="):
                Calls = int(Line[len("calls=") :].split()[0])
            elif Line.startswith(("summary:", "totals:")):
                Total = int(Line.split()[1])
            else:
                Name = re.match(r"(c?)(ob|fn)=(?:\((\d+)\) ?)?(.*)", Line)
                if Name:
                    Of = Known[Name.group(2)]
                    Now[Name.group(1) + Name.group(2)] = Name.group(4) or Of[Name.group(3)]
                    Of.setdefault(Name.group(3), Name.group(4))
        if Total != sum(self.own.values()):
            raise Failure("callgrind's file lists %d instructions of %s" % (sum(self.own.values()), Total))

    def objects(self):
        """{object: instructions in it}"""
        Result = {}
        for (Object, _), Cost in self.own.items():
            Result[Object] = Result.get(Object, 0) + Cost
        return Result

    def inside(self, Callee, By=""):
        """Instructions from the calls of some functions, by others, until they return;
        None where there is no call, or all of them are inlined. Callee: a regular
        expression for the beginning of names. By: only these others."""
        Costs = [
            Cost
            for ((_, Outer), (_, Inner)), (_, Cost) in self.calls.items()
            if re.match(Callee, Inner) and not re.match(Callee, Outer) and re.match(By, Outer)
            # What is called by itself, however indirectly, is marked with '2.
            if not Inner.endswith("'2")
        ]
        return sum(Costs) if Costs else None

    def itself(self, Function):
        """Instructions in some functions, what they call left out; None as above."""
        Costs = [Cost for (_, Name), Cost in self.own.items() if re.match(Function, Name)]
        return sum(Costs) if Costs else None
