"""What each option of the buffer leaves after SIGKILL, and records without it.

usage: buffers.py CLANG PLUGIN PRELOAD SCRATCH SOURCE

  buffer=private       after SIGKILL there is a partial trace at most, from which
                       `recover` and `dump` give a prefix
  buffer=DIR/          the buffer is in DIR, the partial trace beside the trace
  buffer-size=16       the smallest that both writers can share: the same events
  when-full=drop       with it, what is missing is counted
  collector=LONG       a session that has much to say is still whole
"""

import os
import re
import signal
import subprocess
import sys

from interrupted import (
    HANG_SECONDS,
    NAMING_BATCH,
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
from tables import Tables


def compile_with(Setup, Folder, Options, KillAt=None):
    """In Folder, until it ends or is killed when event KillAt begins."""
    Clang, Plugin, Preload, Source = Setup
    Environment = dict(os.environ)
    if KillAt:
        Environment.update(kill_timer(Preload, os.path.join(Folder, "counter"), KillAt))
    Result = subprocess.run(
        [Clang, "-fplugin=" + Plugin, "-w", "-c", "-o", "a.o"]
        + ["-fplugin-arg-instantrace-" + Option for Option in Options]
        + source_options(Source)
        + [Source],
        cwd=Folder,
        env=Environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=HANG_SECONDS,
    )
    Expected = -signal.SIGKILL if KillAt else 0
    check(
        Result.returncode == Expected and not Result.stdout,
        "%s: exit %d, expected %d\n%s"
        % (Options, Result.returncode, Expected, Result.stdout.decode()[-2000:]),
    )
    return os.path.join(Folder, "a.itrace")


def private(Setup, Scratch, Reference):
    Last = len(Reference.Lines)
    for Event in (100, Last // 2, Last - 2):
        Folder = fresh(os.path.join(Scratch, "private"))
        compile_with(Setup, Folder, ["buffer=private"], Event)
        Left = hidden(Folder)
        check(
            len(Left) <= 1 and all(N.endswith(".partial") for N in Left),
            "buffer=private leaves %s" % Left,
        )
        check(Left or Event == 100, "nothing after %d events" % Event)
        for Name in Left:
            Output = os.path.join(Folder, "recovered.itrace")
            Report = recover(os.path.join(Folder, Name), Output)
            tool("verify", Output)
            # Short names are in the buffer, which is gone.
            Events = Reference.check_prefix(Output, NAMING_BATCH)[0]
            check(Report["events"] == Events <= Event, "%d events" % Events)
            check(
                event_lines(os.path.join(Folder, Name)) == event_lines(Output),
                "dump of %s is not that of what recover makes of it" % Name,
            )
        print(
            "private, killed at event %d of %d: %s"
            % (Event, Last, "%d events in a partial trace" % Events if Left else "nothing")
        )
    Folder = fresh(os.path.join(Scratch, "private"))
    Trace = compile_with(Setup, Folder, ["buffer=private"])
    check(Undisturbed(Trace).Lines == Reference.Lines, "buffer=private: other events")
    check(not hidden(Folder), "buffer=private leaves %s" % hidden(Folder))


def elsewhere(Setup, Scratch, Reference):
    Folder = fresh(os.path.join(Scratch, "elsewhere"))
    There = fresh(os.path.join(Scratch, "there"))
    compile_with(Setup, Folder, ["buffer=%s/" % There], len(Reference.Lines) // 2)
    Buffers = hidden(There)
    check(len(Buffers) == 1, "in the other folder is %s" % Buffers)
    check(
        [N for N in hidden(Folder) if not N.endswith(".partial")] == [],
        "beside the trace is %s" % hidden(Folder),
    )
    Output = os.path.join(Folder, "recovered.itrace")
    Report = recover(os.path.join(There, Buffers[0]), Output)
    tool("verify", Output)
    Events = Reference.check_prefix(Output)[0]
    check(Report["events"] == Events > len(Reference.Lines) // 2 - 2, "%d" % Events)
    print("elsewhere: %d events from %s" % (Events, "there"))
    Folder, There = fresh(Folder), fresh(There)
    Trace = compile_with(Setup, Folder, ["buffer=%s/" % There])
    check(Undisturbed(Trace).Lines == Reference.Lines, "buffer=DIR/: other events")
    check(not hidden(Folder) + hidden(There), "buffer=DIR/ leaves something")


def nameless(Lines):
    """Event, kind and place of what is not Instantrace's own work."""
    Parts = [L.split() for L in Lines if "Profiling <unnamed>" not in L]
    return [(P[0], P[1], re.findall(r"\S+:\d+:\d+", " ".join(P))[-1:]) for P in Parts]


def starved(Setup, Scratch, Reference):
    Folder = fresh(os.path.join(Scratch, "starved"))
    Trace = compile_with(Setup, Folder, ["buffer-size=16"])
    Lines = Undisturbed(Trace).Lines
    # Its chunks are smaller, so names are built at other times, and what Clang
    # calls a declaration may change while it compiles.
    check(nameless(Lines) == nameless(Reference.Lines), "buffer-size=16: other events")
    check(not hidden(Folder), "buffer-size=16 leaves %s" % hidden(Folder))
    Own = Undisturbed(Trace)
    # Shortly after names were written: a dictionary is larger than this buffer.
    Named = [At for At, L in enumerate(Lines) if L.startswith("end ") and "Profiling" in L]
    for At in Named[len(Named) // 2 :][:3]:
        Folder = fresh(os.path.join(Scratch, "starved-killed"))
        At += 12
        compile_with(Setup, Folder, ["buffer-size=16"], At)
        Report = recover_and_check(Own, Folder)
        check(At - 1 <= Report["events"], "%d of %d" % (Report["events"], At))
        print("starved, killed at event %d: %d events" % (At, Report["events"]))


def dropping(Setup, Scratch, Reference):
    # Without Instantrace's own work, which depends on the chunks.
    Folder = fresh(os.path.join(Scratch, "dropping"))
    Own = "events=-profiling"
    All = Undisturbed(compile_with(Setup, Folder, [Own]))
    Folder = fresh(Folder)
    Trace = compile_with(Setup, Folder, [Own, "buffer-size=16", "when-full=drop"])
    Verdict, Footer = tool("verify", Trace), Tables(Trace)
    check(Footer.Dropped > 0, "nothing was dropped")
    check("{:,} events dropped".format(Footer.Dropped) in Verdict, "verify: " + Verdict)
    Header = tool("dump", "--header", Trace).partition("\n\n")[0]
    check("dropped: {:,} events".format(Footer.Dropped) in Header, "header: " + Header)
    print("dropping: %d recorded, %d dropped" % (Footer.Events, Footer.Dropped))
    # The footer's count has waits, of which each run has others; that it is right is
    # verified.
    Shown = len(event_lines(Trace))
    check(
        Shown + Footer.Dropped == len(All.Lines),
        "%d shown and %d dropped of %d" % (Shown, Footer.Dropped, len(All.Lines)),
    )
    check(not hidden(Folder), "when-full=drop leaves %s" % hidden(Folder))


def described_at_length(Setup, Scratch, Reference):
    """The session says why there is no collector, with a name of any length."""
    Folder = fresh(os.path.join(Scratch, "described"))
    At = len(Reference.Lines) // 2
    compile_with(Setup, Folder, ["collector=/" + "x" * 3000], At)
    Report = recover_and_check(Reference, Folder)
    check(At - 1 <= Report["events"], "%d of %d" % (Report["events"], At))
    print("described at length, killed at event %d: %d events" % (At, Report["events"]))


def run():
    Clang, Plugin, Preload, Scratch, Source = sys.argv[1:]
    Setup = (Clang, Plugin, Preload, Source)
    Folder = fresh(os.path.join(Scratch, "undisturbed"))
    Reference = Undisturbed(compile_with(Setup, Folder, []))
    for Check in (private, elsewhere, starved, dropping, described_at_length):
        Check(Setup, Scratch, Reference)


main(run)
