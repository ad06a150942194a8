"""What a killed compile left does not stand in the way of the next one.

usage: takeover.py CLANG PLUGIN PRELOAD SCRATCH

  after a kill         a compile of the same output takes over the leftovers'
                       names, and at its end they are gone
  two at a time        with one output, both work; one has its process id in its
                       hidden names
  while one stands     recover leaves a living compile's buffer alone when it is
                       given the folder
  after clean ends     with and without templates, with errors, with nothing to
                       compile, nothing hidden is left
"""

import os
import re
import signal
import subprocess
import sys
import time

from interrupted import (
    HANG_SECONDS,
    Fault,
    Undisturbed,
    check,
    fresh,
    hidden,
    main,
    tool,
)
from kill_timer import kill_timer

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "crash.cpp")


def start(Clang, Plugin, Folder, Source, *Options, **Environment):
    return subprocess.Popen(
        [Clang, "-fplugin=" + Plugin, "-std=c++17", "-w", "-c", "-o", "a.o"]
        + ["-fconstexpr-steps=2000000000", Source]
        + list(Options),
        cwd=Folder,
        env=dict(os.environ, **Environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def end(Process, Code):
    Output = Process.communicate(timeout=HANG_SECONDS)[0].decode()
    check(
        Process.returncode == Code,
        "exit %d, expected %d\n%s" % (Process.returncode, Code, Output[-2000:]),
    )


def kill_at(Event, Clang, Plugin, Preload, Folder):
    Counter = os.path.join(Folder, "counter")
    Killed = start(
        Clang,
        Plugin,
        Folder,
        SOURCE,
        **kill_timer(Preload, Counter, Event),
    )
    end(Killed, -signal.SIGKILL)


def is_recording(Buffer):
    with open(Buffer, "rb") as File:
        return File.read(132)[128:] == b"\1\0\0\0"  # BufferHeader::Live.Phase


def wait_for_buffers(Processes, Folder, Count):
    """Their names, as soon as so many have their headers."""
    Deadline = time.monotonic() + HANG_SECONDS
    while time.monotonic() < Deadline:
        Buffers = [N for N in hidden(Folder) if N.endswith(".buffer")]
        if sum(is_recording(os.path.join(Folder, N)) for N in Buffers) == Count:
            return Buffers
        for Process in Processes:
            check(Process.poll() is None, "it ended: %s" % Process.poll())
        time.sleep(0.002)
    raise Fault("no %d buffers: %s" % (Count, hidden(Folder)))


def after_a_kill(Clang, Plugin, Preload, Scratch, Reference):
    for Event in (1, 300, 3000, len(Reference.Lines) - 2):
        Folder = fresh(os.path.join(Scratch, "after-%d" % Event))
        kill_at(Event, Clang, Plugin, Preload, Folder)
        Left = hidden(Folder)
        check(".a.itrace.buffer" in Left, "after event %d there is %s" % (Event, Left))
        end(start(Clang, Plugin, Folder, SOURCE), 0)
        check(not hidden(Folder), "event %d: left is %s" % (Event, hidden(Folder)))
        Trace = os.path.join(Folder, "a.itrace")
        check(Undisturbed(Trace).Lines == Reference.Lines, "it is another trace")
        print("after a kill at event %d: %s, and then nothing" % (Event, " ".join(Left)))


def two_at_a_time(Clang, Plugin, Scratch, Reference):
    Folder = fresh(os.path.join(Scratch, "two"))
    Both = []
    try:
        for Count in (1, 2):
            Both.append(start(Clang, Plugin, Folder, SOURCE, "-DSTEPS=5000000"))
            Buffers = wait_for_buffers(Both, Folder, Count)
            Both[-1].send_signal(signal.SIGSTOP)  # amid its long constant
        # The second one's name has its process, and what nobody can know before.
        Second = re.compile(r"\.a\.itrace\.%d-\d+\.buffer" % Both[1].pid)
        check(len(Buffers) == 2 and ".a.itrace.buffer" in Buffers and any(map(Second.fullmatch, Buffers)),
              "buffers %s, expected .a.itrace.buffer and %s" % (Buffers, Second.pattern))
        Said = tool("recover", Folder)
        check(
            Said.count("skipped") == 2 and not os.path.exists(Folder + "/a.itrace"),
            "recover of a folder with living compiles: " + Said,
        )
        for Process in Both:
            Process.send_signal(signal.SIGCONT)
        for Process in Both:
            end(Process, 0)
    finally:
        for Process in Both:
            if Process.poll() is None:
                Process.kill()
                Process.wait()
    check(not hidden(Folder), "two at a time leave %s" % hidden(Folder))
    check(
        Undisturbed(os.path.join(Folder, "a.itrace")).Lines == Reference.Lines,
        "of two at a time, there is another trace",
    )
    print("two at a time: %s" % " ".join(sorted(Buffers)).replace(str(Both[1].pid), "PID"))


def after_clean_ends(Clang, Plugin, Scratch):
    for Name, Text, Code, Traces in (
        ("templates", "template <class T> T f(T X) { return X; } int Y = f(1);", 0, 1),
        ("no templates", "int X;", 0, 0),
        ("nothing", "", 0, 0),
        ("errors", "template <class T> T f(T X) { return X; } int Y = f(Z);", 1, 0),
        ("errors amid templates", "template <class T> struct A { T X; }; A<void> Y;", 1, 1),
        ("no header", "#include <no-such-header>\n", 1, 0),
    ):
        Folder = fresh(os.path.join(Scratch, "clean"))
        Source = os.path.join(Folder, "a.cpp")
        with open(Source, "w") as File:
            File.write(Text)
        end(start(Clang, Plugin, Folder, Source), Code)
        Found = sorted(N for N in os.listdir(Folder) if N not in ("a.cpp", "a.o"))
        check(Found == ["a.itrace"] * Traces, "%s: left is %s" % (Name, Found))
    print("after clean ends: nothing")


def run():
    Clang, Plugin, Preload, Scratch = sys.argv[1:]
    Folder = fresh(os.path.join(Scratch, "undisturbed"))
    end(start(Clang, Plugin, Folder, SOURCE), 0)
    Reference = Undisturbed(os.path.join(Folder, "a.itrace"))
    after_a_kill(Clang, Plugin, Preload, Scratch, Reference)
    two_at_a_time(Clang, Plugin, Scratch, Reference)
    after_clean_ends(Clang, Plugin, Scratch)


main(run)
