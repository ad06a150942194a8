"""A disk that is full, from the start and in the middle.

usage: full-disk.py CLANG PLUGIN SCRATCH SOURCE

The trace goes to a small tmpfs of its own. Run it by `unshare --mount`: then
nobody else sees this disk, and it is gone with the process however that ends.
Without room for the buffer, the recording is in private memory, and the trace
has no room either: one warning, and nothing is left. With room for the buffer alone, the
partial trace breaks off: one warning names what to recover, and its events are
a prefix. Object and exit code are as ever.
"""

import os
import subprocess
import sys

from interrupted import Fault, Undisturbed, check, fresh, main, recover, tool
from interrupted import source_options

KIB = 1024


class Disk:
    """Of so many KiB, mounted while the block lasts."""

    def __init__(self, Folder, SizeKiB):
        self.Folder, self.SizeKiB = fresh(Folder), SizeKiB

    def __enter__(self):
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=%dk" % self.SizeKiB, "tmpfs"]
            + [self.Folder],
            check=True,
        )
        return self

    def __exit__(self, *_):
        subprocess.run(["umount", self.Folder], check=True)

    def fill(self, FreeKiB):
        State = os.statvfs(self.Folder)
        Bytes = State.f_bavail * State.f_frsize - FreeKiB * KIB
        with open(os.path.join(self.Folder, "filler"), "wb") as File:
            File.write(bytes(Bytes))


def compile_to(Options, Output, Object):
    Clang, Plugin, Source = Options
    Plugged = []
    if Output:
        Plugged = ["-fplugin=" + Plugin, "-fplugin-arg-instantrace-output=" + Output]
    Result = subprocess.run(
        [Clang] + Plugged + ["-w", "-c"]
        + source_options(Source) + ["-o", Object, Source],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    check(Result.returncode == 0, "exit %d\n%s" % (Result.returncode, Result.stdout))
    return Result.stdout.decode().splitlines()


def same_object(A, B):
    with open(A, "rb") as One, open(B, "rb") as Other:
        check(One.read() == Other.read(), "%s differs from %s" % (A, B))


def run():
    Clang, Plugin, Scratch, Source = sys.argv[1:]
    Options = (Clang, Plugin, Source)
    fresh(Scratch)
    Object, Plain = os.path.join(Scratch, "a.o"), os.path.join(Scratch, "plain.o")
    compile_to(Options, None, Plain)
    Whole = os.path.join(Scratch, "whole.itrace")
    compile_to(Options, Whole, Object)
    Reference = Undisturbed(Whole)
    TraceKiB = os.path.getsize(Whole) // KIB
    Folder = os.path.join(Scratch, "disk")
    Trace = os.path.join(Folder, "a.itrace")

    with Disk(Folder, TraceKiB + 2048) as D:
        D.fill(128)  # the buffer wants twice as much
        Lines = compile_to(Options, Trace, Object)
        same_object(Object, Plain)
        check(len(Lines) == 1, "from the start: %s" % Lines)
        check(
            "No space left on device; no profile of this compile" in Lines[0],
            "from the start: " + Lines[0],
        )
        check(os.listdir(Folder) == ["filler"], "there is %s" % os.listdir(Folder))
    print("full from the start: " + Lines[0][: len("instantrace: warning: ")] + "...")

    for FreeKiB in (540, 540 + TraceKiB // 2):
        with Disk(Folder, TraceKiB + 2048) as D:
            D.fill(FreeKiB)
            Lines = compile_to(Options, Trace, Object)
            same_object(Object, Plain)
            check(len(Lines) == 1, "in the middle: %s" % Lines)
            Begin, _, Named = Lines[0].partition("; for the profile until then: ")
            check(
                Begin == "instantrace: warning: %s: No space left on device" % Trace,
                "in the middle: " + Lines[0],
            )
            Leftover = Named.removeprefix("instantrace recover ")
            check(os.path.exists(Leftover), "it names %s" % Leftover)
            Output = os.path.join(Scratch, "recovered.itrace")
            Report = recover(Leftover, Output)
            tool("verify", Output)
            # Where names have no room any more, events may have some.
            Events, Unnamed, *_ = Reference.check_prefix(Output, UnnamedAtMost=10**9)
            check(Report["events"] == Events > 0, "%d events" % Events)
            check(Events < len(Reference.Lines), "nothing is missing")
        print(
            "full with %d KiB: %d of %d events, %d without name"
            % (FreeKiB, Events, len(Reference.Lines), Unnamed)
        )


main(run)
