"""A compiler that crashes: it crashes as ever, and its profile is whole.

usage: crashes.py CLANG PLUGIN SCRATCH WAY...

WAY is how crash.cpp beside this script ends its compile:
  crash, parser-crash, fatal, overflow   from the inside
  SEGV, ABRT, INT, ...                   the signal comes from outside, while the
                                         compiler evaluates one long constant
each with the compiler inside the driver's process, with a process of its own
(-fno-integrated-cc1) and without a driver (-cc1). Exit code and standard error
equal those without the plugin, but for one line where the compiler is able to
say anything. What that line names gives a trace of which all entities have
names, and whose events are a prefix. Where Clang's handlers do not run, as when
the stack overflows within the driver's process, the line is missing, and so may
be the names that SIGKILL would cost.
"""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time

from interrupted import (
    HANG_SECONDS,
    LINE,
    NAMING_BATCH,
    Fault,
    Undisturbed,
    check,
    fresh,
    hidden,
    main,
    recover,
    recover_and_check,
    tool,
)

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "crash.cpp")
LIMITS = [
    "-fconstexpr-depth=100000000",
    "-fconstexpr-steps=2000000000",
]
INSIDE = {
    "crash": ["-DCRASH"],
    "parser-crash": ["-DPARSER_CRASH"],
    "fatal": ["-DFATAL"],
    "overflow": ["-DRECURSE=10000000"],
}
OUTSIDE = ["-DSTEPS=60000000"]  # seconds in which it does nothing else
ENDING = ("INT", "TERM")  # the whole process group gets these, as from Ctrl-C
MODES = ("driver", "two processes", "cc1")


def command(Clang, Plugin, Mode, Defines):
    Command = [Clang] + (["-fplugin=" + Plugin] if Plugin else [])
    if Mode == "two processes":
        Command.append("-fno-integrated-cc1")
    Command += ["-std=c++17", "-w", "-fno-crash-diagnostics", "-c", "-o", "a.o"]
    Command += LIMITS + Defines + [SOURCE]
    if Mode != "cc1":
        return Command
    Printed = subprocess.run(Command + ["-###"], stderr=subprocess.PIPE, check=True)
    return shlex.split(Printed.stderr.decode().splitlines()[-1])


def cpu_seconds(Pid):
    with open("/proc/%d/stat" % Pid) as File:
        Fields = File.read().rpartition(")")[2].split()
    return int(Fields[11]) / os.sysconf("SC_CLK_TCK")


def compiler_of(Process, Mode):
    """The pid of the compiler: the driver's child, or the process itself."""
    if Mode != "two processes":
        return Process.pid
    with open("/proc/%d/task/%d/children" % (Process.pid, Process.pid)) as File:
        Children = File.read().split()
    return int(Children[0]) if Children else None


def events_recorded(Buffer):
    Report = json.loads(
        tool("recover", "--json", "-o", Buffer + ".living", Buffer, Codes=(0, 1))
    )
    return Report["events"]


def send_when_it_computes(Process, Mode, Way, Folder, Events):
    """Sends the signal once the compiler is at its long constant. Events: how
    many it has recorded by then; 0: it has no plugin."""
    Deadline = time.monotonic() + HANG_SECONDS
    Buffer = os.path.join(Folder, ".a.itrace.buffer")
    while time.monotonic() < Deadline:
        check(Process.poll() is None, "it ended before the signal: %s" % Process.poll())
        Pid = compiler_of(Process, Mode)
        # Everything before the constant takes half of this.
        if Pid and cpu_seconds(Pid) >= 0.3:
            if not Events or events_recorded(Buffer) >= Events:
                Signal = getattr(signal, "SIG" + Way)
                if Way in ENDING:
                    os.killpg(Process.pid, Signal)
                else:
                    os.kill(Pid, Signal)
                return Pid
        time.sleep(0.01)
    raise Fault("the compiler does not get to its long constant")


def wait_for_end(Pid):
    Deadline = time.monotonic() + HANG_SECONDS
    while time.monotonic() < Deadline:
        try:
            with open("/proc/%d/stat" % Pid) as File:
                if File.read().rpartition(")")[2].split()[0] in "ZX":
                    return
        except (FileNotFoundError, ProcessLookupError):
            return
        time.sleep(0.005)
    raise Fault("the compiler lives on")


def run_compile(Clang, Plugin, Mode, Way, Folder, Events=0):
    """(exit code, standard error) of one that crashes."""
    fresh(Folder)
    Defines = INSIDE.get(Way, OUTSIDE)
    Errors = open(os.path.join(Folder, "stderr"), "w+b")
    Process = subprocess.Popen(
        command(Clang, Plugin, Mode, Defines),
        cwd=Folder,
        env=dict(os.environ, LLVM_DISABLE_SYMBOLIZATION="1"),
        stdout=subprocess.DEVNULL,
        stderr=Errors,
        start_new_session=True,
        # lit's workers ignore it, and whom they start would, too.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    Compiler = None
    try:
        if Way not in INSIDE:
            Compiler = send_when_it_computes(Process, Mode, Way, Folder, Events)
        Code = Process.wait(timeout=HANG_SECONDS)
        if Compiler:
            wait_for_end(Compiler) # a driver may die before it
    except subprocess.TimeoutExpired:
        raise Fault("it hangs")
    finally:
        if Process.poll() is None:
            os.killpg(Process.pid, signal.SIGKILL)
            Process.wait()
    Errors.seek(0)
    return Code, Errors.read().decode(errors="replace").splitlines()


def comparable(Lines, KeepsFrames):
    """Without what differs from run to run: addresses, the command line. Frames
    are kept where the crash is always in one place."""
    Kept = []
    for Line in Lines:
        if re.match(r"0\.\s+Program arguments: ", Line):
            Line = "0. Program arguments"
        IsFrame = re.match(r"\s*#?\d+\s+\S+\s+0x|\s*#\d+ 0x|/\S+\[0x", Line)
        if IsFrame and not KeepsFrames:
            continue
        Line = re.sub(r"a-[0-9a-f]{8}\.o\.tmp", "a-TEMPORARY.o.tmp", Line)
        Kept.append(re.sub(r"0x[0-9a-f]{6,}", "0x", Line))
    return Kept


def check_way(Clang, Plugin, Reference, Mode, Way, Folder):
    Without = run_compile(Clang, None, Mode, Way, Folder)
    check(not hidden(Folder), "without the plugin: %s" % os.listdir(Folder))
    Begins = [At for At, L in enumerate(Reference.Lines) if "begin" in L and "Last<" in L]
    With = run_compile(Clang, Plugin, Mode, Way, Folder, Begins[-1] + 1)
    check(
        Without[0] == With[0],
        "exit code %s without, %s with\n%s"
        % (Without[0], With[0], "\n".join(With[1][:20])),
    )
    Ours = [Line for Line in With[1] if Line.startswith("instantrace: ")]
    Theirs = [Line for Line in With[1] if Line not in Ours]
    KeepsFrames = Way in INSIDE and Way != "overflow"
    A, B = comparable(Without[1], KeepsFrames), comparable(Theirs, KeepsFrames)
    check(
        A == B,
        "standard error without:\n%s\nwith:\n%s" % ("\n".join(A), "\n".join(With[1])),
    )
    # Only Clang 14 takes a fault for one that is over when its handler returns.
    WentOn = os.path.exists(os.path.join(Folder, "a.itrace"))
    IsHandled = any("Stack dump" in L or "error in backend" in L for L in A)
    check(
        len(Ours) == IsHandled,
        "%d lines of ours, expected %d:\n%s" % (len(Ours), IsHandled, "\n".join(Ours)),
    )
    if IsHandled:
        check(Ours[0].startswith(LINE), "it says: " + Ours[0])
        Named = os.path.join(Folder, Ours[0][len(LINE) :])
        if not WentOn:
            recover(Named, os.path.join(Folder, "named.itrace"))
    Name = "%s, %s: exit %s, %d lines" % (Way, Mode, With[0], len(With[1]))
    if WentOn:
        # Clang 14 goes on after a fault that was none, and misses its object.
        Whole = Undisturbed(os.path.join(Folder, "a.itrace"))
        check(Whole.Lines == Reference.Lines, "it went on with other events")
        Left = [N for N in hidden(Folder) if not N.endswith(".living")]
        check(not Left, "it went on and leaves %s" % Left)
        return print(Name + ", and the compile went on")
    Report = recover_and_check(Reference, Folder, 0 if IsHandled else NAMING_BATCH)
    if IsHandled:
        check(Report["unplaced"] == 0, "%(unplaced)d locations without place" % Report)
        check(Report["signal"] != 0, "the trace does not say that there was a crash")
    check(Report["events"] > 2000, "only %(events)d events" % Report)
    check(
        IsHandled or Mode == "driver" or Way in ENDING,
        "Clang's handlers do not run with %s" % Mode,
    )
    print(
        "%s, %d events, %d without name%s"
        % (
            Name,
            Report["events"],
            Report["unnamed_entities"],
            "" if IsHandled else " (Clang says nothing)",
        )
    )
    sys.stdout.flush()


def run():
    Clang, Plugin, Scratch, *Ways = sys.argv[1:]
    Folder = fresh(os.path.join(Scratch, "undisturbed"))
    subprocess.run(command(Clang, Plugin, "driver", []), cwd=Folder, check=True)
    Reference = Undisturbed(os.path.join(Folder, "a.itrace"))
    for Way in Ways:
        for Mode in MODES:
            Name = "%s-%s" % (Way, Mode.replace(" ", "-"))
            Folder = os.path.join(Scratch, Name)
            try:
                check_way(Clang, Plugin, Reference, Mode, Way, Folder)
            except Fault as Reason:
                raise Fault("%s, %s (kept in %s): %s" % (Way, Mode, Folder, Reason))


main(run)
