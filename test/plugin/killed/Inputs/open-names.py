"""After SIGKILL, what was open for long has its whole name, in no batch though it was.

usage: open-names.py CLANG PLUGIN SCRATCH

  stuck    Clang evaluates one constant and calls nobody
  deeper   it goes deeper and deeper; what began 100 ms before the last event has its
           whole name
  end      the same, at an end: names are Clang's, and those that it has without a look
           at what is open

On a busy machine a signal or a process may come late, so a kill that came too early is
tried again later, up to the time in which a compile hangs.
"""

import json
import os
import re
import subprocess
import sys
import time

Clang, Plugin, Scratch = sys.argv[1:]
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "open-names.cpp")
LAST_DELAY_S = 20
FOR_LONG_NS = 100_000_000


def command(Defines, *Options):
    Command = [Clang, "-fplugin=" + Plugin, "-std=c++17", "-fsyntax-only", "-fconstexpr-steps=4294967295"]
    Command += ["-ftemplate-depth=10000", "-fbracket-depth=10000"]
    return Command + ["-D" + D for D in Defines] + ["-fplugin-arg-instantrace-" + O for O in Options] + [SOURCE]


def tool(*Arguments):
    Done = subprocess.run(["instantrace", *Arguments], cwd=Scratch, capture_output=True, text=True, encoding="utf-8")
    if Done.returncode != 0:
        sys.exit("instantrace %s: exit %d\n%s" % (" ".join(Arguments), Done.returncode, Done.stderr))
    return Done.stdout


def killed_after(DelayS, Defines):
    """What `dump` shows of a compile that was killed so long after it began; nothing
    where that was before it had a buffer."""
    for Name in os.listdir(Scratch):
        os.unlink(os.path.join(Scratch, Name))
    Compile = subprocess.Popen(command(Defines, "output=a.itrace"), cwd=Scratch)
    time.sleep(DelayS)
    if Compile.poll() is not None:
        sys.exit("the compile ended after less than %g s, with %d" % (DelayS, Compile.returncode))
    Compile.kill()
    Compile.wait()
    if not os.path.exists(os.path.join(Scratch, ".a.itrace.buffer")):
        return []
    tool("recover", ".a.itrace.buffer")
    tool("verify", "a.itrace")
    return events()


def events():
    """Those of template work in a.itrace, as `dump --format=json` has them."""
    Lines = tool("dump", "--format=json", "--no-phases", "a.itrace").splitlines()
    return [json.loads(Line) for Line in Lines]


def open_names(Events, UntilNs=None):
    """Of what is open at the end, outermost first; of what began until then."""
    Open = [E for E in Events if E.get("open")]
    return [E["name"] for E in Open if UntilNs is None or E["time_ns"] <= UntilNs]


def until(IsWhole, Defines):
    """IsWhole(events) gives what is wrong."""
    DelayS = 0.4
    while True:
        Events = killed_after(DelayS, Defines)
        Wrong = IsWhole(Events)
        if not Wrong:
            return
        if DelayS > LAST_DELAY_S:
            sys.exit("%s after %g s" % (Wrong, DelayS))
        DelayS *= 3


def stuck(Events):
    Found, Expected = open_names(Events), ["Outer<char>", "Long<Box<char, 7>, 4000000000>"]
    return None if Found == Expected else "open are %s, expected %s" % (Found, Expected)


def deeper(Events):
    if not Events:
        return "there is no event"
    Found = open_names(Events, UntilNs=Events[-1]["time_ns"] - FOR_LONG_NS)
    Expected = ["Deeper<Box<char, 3>, %d>" % N for N in range(max(len(Found), 5))]
    return None if Found == Expected else "open are %s, expected %s" % (Found, Expected)


def end():
    for Watch in ("on", "off"):
        Names = os.path.join(Scratch, Watch + ".names")
        Command = command(["LEVELS=40"], "output=a.itrace", "watch=" + Watch, "check-names=" + Names)
        subprocess.run(Command, cwd=Scratch, check=True)
        with open(Names) as File:
            Last = File.read().splitlines()[-1]
        if not re.fullmatch(r"[1-9]\d* entities, 0 differences", Last):
            sys.exit("watch=%s: %s" % (Watch, Last))
        yield [(E["event"], E["kind"], E["name"]) for E in events()]


until(stuck, ["STUCK"])
until(deeper, ["LEVELS=5000"])
On, Off = end()
if On != Off:
    sys.exit("events differ:\n%s\n%s" % (On, Off))
