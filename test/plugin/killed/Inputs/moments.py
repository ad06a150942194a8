"""SIGKILL at random moments: what is left is always the begin of the whole.

usage: moments.py CLANG PLUGIN PRELOAD SCRATCH SOURCE [--seed N]
           [--moments N] [--exit CODE] [--least PART] [--looks]

Five ways to choose the moment, taken in turn:
  start    up to 30 ms after the process began
  begun    up to 30 ms after the session began, before or amid the first events
  event    up to 3 ms after an event, any of them being as likely as any other
  outside  kill() of another process, anywhere in the compile's duration
  stopped  the same after SIGSTOP: meanwhile `recover` makes a trace of the
           living buffer, and what it makes after SIGKILL is the same
  end      up to 30 ms after the last event but two
PRELOAD (kill-timer.c) counts the events that were begun to be written; of these
at most one may be missing. With --looks it counts those of the observer, most of
which find no event: they choose the moments, and what is left has to be a begin of
the whole, as long as it may be. A failure keeps its folder and names seed and moment.
"""

import argparse
import collections
import os
import random
import signal
import statistics
import struct
import subprocess
import sys
import time

from interrupted import (
    HANG_SECONDS,
    NAMING_BATCH,
    Fault,
    Undisturbed,
    check,
    event_lines,
    fresh,
    hidden,
    main,
    recover,
    recover_and_check,
    source_options,
    tool,
)
from kill_timer import kill_timer

START_NS = 30_000_000
EVENT_NS = 3_000_000
WAYS = (
    ["start"] + ["begun"] + ["event"] * 8 + ["outside"] * 5 + ["stopped"] * 4 + ["end"]
)

# What a moment may lead to. Only the first has events.
RECOVERED = "recovered events"
NO_EVENT = "killed before the first event"
NO_HEADER = "killed before the header was whole"
NO_BUFFER = "killed before there was a buffer"
ALL_DONE = "killed after the trace had its name"
ENDED = "the compile had ended"


class Compile:
    """One that runs in Folder, which it has for itself."""

    def __init__(self, Options, Folder, Event=None, DelayNs=0):
        self.Folder = fresh(Folder)
        self.Counter = os.path.join(Folder, "counter")
        Environment = dict(
            os.environ,
            **kill_timer(Options.preload, self.Counter, Event, DelayNs),
            **Options.environment,
        )
        self.Process = subprocess.Popen(
            [Options.clang, "-fplugin=" + Options.plugin, "-w", "-c"]
            + source_options(Options.source)
            + ["-o", "a.o", Options.source],
            cwd=Folder,
            env=Environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def wait(self, Seconds=HANG_SECONDS):
        """Its exit code, negative for a signal; what it printed is kept."""
        self.Output = self.Process.communicate(timeout=Seconds)[0]
        return self.Process.returncode

    def has_ended_after(self, Seconds):
        try:
            self.wait(Seconds)
            return True
        except subprocess.TimeoutExpired:
            return False

    def stop(self):
        """True when it stands still, false when it ended before."""
        self.Process.send_signal(signal.SIGSTOP)
        Deadline = time.monotonic() + HANG_SECONDS
        while time.monotonic() < Deadline:
            try:
                with open("/proc/%d/stat" % self.Process.pid) as File:
                    State = File.read().rpartition(")")[2].split()[0]
            except (FileNotFoundError, ProcessLookupError):
                return False  # sending the signal has found it ended
            if State in "TZ":
                return State == "T"
        raise Fault("it does not stop")

    def kill(self):
        self.Process.kill()
        self.wait()

    def events_begun(self):
        with open(self.Counter, "rb") as File:
            return max(0, struct.unpack("<Q", File.read())[0] - 1)

    def path(self, Name):
        return os.path.join(self.Folder, Name)

    def buffer(self):
        return next(
            (self.path(N) for N in hidden(self.Folder) if N.endswith(".buffer")), None
        )


def classify(Options, Reference, C):
    """What the kill led to, and what recover reports of it."""
    Left = hidden(C.Folder)
    HasTrace = os.path.exists(C.path("a.itrace"))
    if C.Process.returncode == Options.exit:
        check(not Left and HasTrace, "it ended, and there is %s" % os.listdir(C.Folder))
        return ENDED, None
    check(
        C.Process.returncode == -signal.SIGKILL,
        "exit %s, expected SIGKILL\n%s" % (C.Process.returncode, C.Output.decode()),
    )
    check(Options.exit or not C.Output, "it printed %r" % C.Output)
    if HasTrace:
        check(
            event_lines(C.path("a.itrace")) == Reference.Lines,
            "a trace has its name and is not the undisturbed one",
        )
        if C.buffer():
            Report = recover(C.buffer(), C.path("x.itrace"))
            check(Report["outcome"] == "finished", "recover: %s" % Report)
        return ALL_DONE, None
    if not Left:
        check(C.events_begun() == 0, "events and no buffer")
        return NO_BUFFER, None
    check(Left[0] == ".a.itrace.buffer", "leftovers are %s" % Left)
    with open(C.buffer(), "rb") as File:
        Phase = File.read(132)[128:]  # BufferHeader::Live.Phase
    if Phase in (b"", bytes(4)):
        check(C.events_begun() == 0, "events before the header")
        Error = tool("recover", "-o", C.path("x.itrace"), C.buffer(), Codes=(1,))
        check(
            "killed before it made its buffer" in Error
            or "killed before it wrote it" in Error
            or "killed while it wrote it" in Error,
            "recover of a torn header: " + Error,
        )
        return NO_HEADER, None
    Report = recover_and_check(Reference, C.Folder)
    Missing = 0 if Options.looks else C.events_begun() - Report["events"]
    check(
        0 <= Missing <= 1,
        "%d events were begun, %d are recovered"
        % (C.events_begun(), Report["events"]),
    )
    Report["missing"] = Missing
    return (RECOVERED if Report["events"] else NO_EVENT), Report


def compare_living(C, Living):
    """What the living buffer gave and what the dead one gives is the same, but
    that only the second ends with a footer."""
    if not Living:
        return
    with open(Living, "rb") as A, open(C.path("recovered.itrace"), "rb") as B:
        Before, After = A.read(), B.read()
    # The footer lists the open entities that have their whole name.
    check(
        After.startswith(Before) and len(After) - len(Before) < 200 + 3 * NAMING_BATCH,
        "SIGKILL changed the buffer: %d bytes of trace before, %d after"
        % (len(Before), len(After)),
    )


def one_moment(Options, Reference, Last, Seconds, Way, Rng, Folder):
    """(outcome, report, description of the moment)"""
    Living = None
    if Way in ("outside", "stopped"):
        After = Rng.uniform(0, Seconds)
        Moment = "%s after %.6f s" % (Way, After)
        C = Compile(Options, Folder)
        if not C.has_ended_after(After):
            if Way == "stopped" and C.stop() and C.buffer():
                Output = C.path("living.itrace")
                # Before its first event, there may be no more than an error.
                tool("recover", "-o", Output, C.buffer(), Codes=(0, 1))
                Living = Output if os.path.exists(Output) else None
            C.kill()
    else:
        Event, DelayNs = {
            "start": (0, Rng.randrange(START_NS)),
            "begun": (1, Rng.randrange(START_NS)),
            "event": (Rng.randrange(1, Last), Rng.randrange(EVENT_NS)),
            "end": (Last - 2, Rng.randrange(START_NS)),
        }[Way]
        Moment = "%s: %d ns after event %d" % (Way, DelayNs, Event)
        C = Compile(Options, Folder, Event, DelayNs)
        C.wait()
    try:
        Outcome, Report = classify(Options, Reference, C)
        if Outcome == RECOVERED:
            compare_living(C, Living)
            Report["living"] = Living is not None
            if Options.inspect:
                Report.update(Options.inspect(C.path("recovered.itrace")))
    except Fault as Reason:
        raise Fault("%s; kept in %s\n%s" % (Moment, Folder, Reason))
    return Outcome, Report


def undisturbed(Options):
    """The events to compare with, the last number that PRELOAD counts, and how
    long they take. The second run shows that there is something to compare with."""
    Seconds, References = [], []
    for _ in range(2):
        Start = time.monotonic()
        C = Compile(Options, os.path.join(Options.scratch, "undisturbed"))
        check(C.wait() == Options.exit, "undisturbed: exit %d" % C.Process.returncode)
        Seconds.append(time.monotonic() - Start)
        References.append(Undisturbed(C.path("a.itrace")))
        check(not hidden(C.Folder), "undisturbed, it leaves %s" % hidden(C.Folder))
        if Options.looks:
            Last = C.events_begun()
            continue
        Last = len(References[-1].Lines)
        check(
            C.events_begun() == Last,
            "%d events were begun and %d recorded: the count is no measure"
            % (C.events_begun(), Last),
        )
    Pairs = zip(References[0].Lines, References[1].Lines)
    for At, (A, B) in enumerate(Pairs):
        check(A == B, "two undisturbed runs differ at event %d:\n%s\n%s" % (At, A, B))
    return References[1], Last, min(Seconds)


def summary(Name, Numbers):
    if Numbers:
        print(
            "  %s: median %d, maximum %d"
            % (Name, statistics.median(Numbers), max(Numbers))
        )


def arguments(Arguments=None):
    P = argparse.ArgumentParser()
    for Name in ("clang", "plugin", "preload", "scratch", "source"):
        P.add_argument(Name)
    P.add_argument("--seed", type=int, default=None)
    P.add_argument("--moments", type=int, default=40)
    P.add_argument("--exit", type=int, default=0, help="of the undisturbed compile")
    P.add_argument("--looks", action="store_true", help="the hook is the observer")
    P.add_argument("--least", type=float, default=0.6, help="part that gives events")
    # For who calls measure(): `inspect` gets the path of each recovered trace and
    # returns what is added to its report.
    # `first` is where in WAYS it begins.
    P.set_defaults(inspect=None, environment={}, first=0)
    return P.parse_args(Arguments)


def measure(Options):
    """(Counter of outcomes, reports), after every check."""
    Rng = random.Random(Options.seed)
    Reference, Last, Seconds = undisturbed(Options)
    Outcomes, Reports = collections.Counter(), []
    for Number in range(Options.moments):
        Folder = os.path.join(Options.scratch, "moment-%d" % Number)
        Way = WAYS[(Options.first + Number) % len(WAYS)]
        Outcome, Report = one_moment(
            Options, Reference, Last, Seconds, Way, Rng, Folder
        )
        Outcomes[Outcome] += 1
        if Report:
            Reports.append(dict(Report, way=Way))
        fresh(Folder)
        os.rmdir(Folder)
    return Reference, Outcomes, Reports


def run():
    Options = arguments()
    if Options.seed is None:
        Options.seed = random.SystemRandom().randrange(1 << 32)
    print("%s, seed %d" % (os.path.basename(Options.source), Options.seed))
    sys.stdout.flush()
    Reference, Outcomes, Reports = measure(Options)
    print("  undisturbed: %d events" % len(Reference.Lines))
    for Outcome, Count in sorted(Outcomes.items()):
        print("  %d %s" % (Count, Outcome))
    summary("events", [R["events"] for R in Reports])
    summary("entities with a short name", [R["short_names"] for R in Reports])
    summary("entities without name", [R["unnamed_entities"] for R in Reports])
    summary("locations without place", [R["unplaced"] for R in Reports])
    if not Options.looks:
        print("  %d lost the event being written" % sum(R["missing"] for R in Reports))
    print("  %d recovered living and dead" % sum(R.get("living", False) for R in Reports))
    check(
        Outcomes[RECOVERED] >= Options.least * Options.moments,
        "only %d of %d moments give events" % (Outcomes[RECOVERED], Options.moments),
    )


if __name__ == "__main__":
    main(run)
