#!/usr/bin/env python3
"""Runs commands over a trace, a buffer and a session with one bit changed, or cut.

Every single bit of a small file is changed, and the file is cut at every byte; of
a trace also with the checksum of each packet made good again, as somebody hostile
would do it. Each of these goes through every command in a process of its own,
which may use one second of CPU and 100 MB more than before
(utils/bench/flips/Main.cpp). A run ends with an answer or with an error; whatever
else it ends with is printed, and makes the exit code 1.
"""

import argparse
import concurrent.futures
import datetime
import os
import shutil
import struct
import subprocess
import sys
import tempfile

from run import ROOT, machine, update

SAMPLE = os.path.join(ROOT, "utils", "bench", "flips", "sample.textproto")
COMMANDS = [
    ["verify", "{}"],
    ["summary", "{}"],
    ["why", "{}", "glob:*"],
    ["report", "-o", "-", "{}"],
    ["attach", "--once", "{}"],
]


class Kind:
    """A kind of input: what a command is given, and the file of it that changes."""

    def __init__(self, Name, Input, File, Bytes, Places, IsMended=False):
        self.name, self.input, self.file = Name, Input, File
        self.bytes, self.places, self.is_mended = Bytes, Places, IsMended

    def versions(self, Every):
        for At in self.places:
            for Bit in range(8):
                if (At * 8 + Bit) % Every == 0:
                    Changed = bytearray(self.bytes)
                    Changed[At] ^= 1 << Bit
                    yield bytes(Changed)
        for At in self.places:
            if At % Every == 0:
                yield self.bytes[:At]


def used(Bytes, AlwaysBytes):
    """What is not zero, what is near, and the beginning: most of a buffer is free."""
    Places = set(range(AlwaysBytes))
    for At, Byte in enumerate(Bytes):
        if Byte:
            Places.update(range(max(0, At - 16), min(len(Bytes), At + 17)))
    return sorted(Places)


def kinds(Build, Folder):
    Tool = os.path.join(Build, "bin", "instantrace")
    MakeBuffer = os.path.join(Build, "test", "tools", "instantrace-make-buffer")
    read = lambda Path: open(Path, "rb").read()
    Trace = os.path.join(Folder, "sample.itrace")
    subprocess.run([Tool, "assemble", SAMPLE, "-o", Trace], check=True)
    Sample = read(Trace)
    yield Kind("trace", "x.itrace", "x.itrace", Sample, range(len(Sample)))
    yield Kind("trace, checksums mended", "x.itrace", "x.itrace", Sample, range(len(Sample)), IsMended=True)
    subprocess.run([MakeBuffer, os.path.join(Folder, "a.itrace"), "segv"], check=True)
    Buffer = read(os.path.join(Folder, ".a.itrace.buffer"))
    yield Kind("buffer", ".x.itrace.buffer", ".x.itrace.buffer", Buffer, used(Buffer, 1024))
    yield Kind("session of three traces", "session", "session/b.itrace", Sample, range(len(Sample)))


def measure(Options, Folder, Each, Command):
    """Lines of run-each, for one kind of input and one command."""
    Scratch = tempfile.mkdtemp(dir=Folder)
    if "/" in Each.file:
        os.mkdir(os.path.join(Scratch, "session"))
        for Name in ("a", "c"):
            shutil.copy(os.path.join(Folder, "sample.itrace"), os.path.join(Scratch, "session", Name + ".itrace"))
    Words = [Word.format(Each.input) for Word in Command]
    Run = subprocess.Popen(
        [os.path.join(Options.build, "bin", "instantrace-run-each"), Each.file,
         "mended" if Each.is_mended else "raw", *Words],
        cwd=Scratch, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )
    with concurrent.futures.ThreadPoolExecutor(1) as Feeder:
        def feed():
            for Version in Each.versions(Options.every):
                Run.stdin.write(struct.pack("<I", len(Version)) + Version)
            Run.stdin.close()
        Fed = Feeder.submit(feed)
        Lines = [tuple(map(int, Line.split())) for Line in Run.stdout]
        Fed.result()
    if Run.wait() != 0:
        sys.exit("instantrace-run-each %s: exit code %d" % (" ".join(Words), Run.returncode))
    shutil.rmtree(Scratch)
    return Lines


def main():
    Parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    Parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    Parser.add_argument("--every", type=int, default=1, help="only every so many bits and cuts")
    Parser.add_argument("--update", metavar="FILE", help="replace the part of FILE between the markers of this script")
    Options = Parser.parse_args()
    Options.build = os.path.abspath(Options.build)
    Lines = [
        "Command: `utils/dev bench flips%s`; %s; %s.\n"
        % ("" if Options.every == 1 else " --every %d" % Options.every, machine(), datetime.date.today().isoformat()),
        "| input | bytes | command | runs | answers | errors | others | longest, ms of CPU | most memory, MB |",
        "|---|---:|---|---:|---:|---:|---:|---:|---:|",
    ]
    Bad = 0
    with tempfile.TemporaryDirectory(prefix="instantrace-flips-") as Folder:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as Pool:
            Jobs = [
                (Each, Command, Pool.submit(measure, Options, Folder, Each, Command))
                for Each in kinds(Options.build, Folder)
                for Command in COMMANDS
                if Command[0] != "attach" or Each.input != "session"
            ]
            for Each, Command, Job in Jobs:
                Runs = Job.result()
                Others = [(No, Code) for No, (Code, _, _) in enumerate(Runs) if Code not in (0, 1)]
                Bad += len(Others)
                Lines.append("| %s | %d | `%s` | %d | %d | %d | %d | %.1f | %.1f |" % (
                    Each.name, len(Each.bytes), " ".join(Command[:2] if Command[0] == "attach" else Command[:1]),
                    len(Runs), sum(Code == 0 for Code, _, _ in Runs), sum(Code == 1 for Code, _, _ in Runs),
                    len(Others), max(Cpu for _, Cpu, _ in Runs) / 1e3, max(Kb for _, _, Kb in Runs) / 1024))
                for No, Code in Others[:5]:
                    print("%s, %s: version %d ended with %d" % (Each.name, Command[0], No, Code), file=sys.stderr)
    Text = "\n".join(Lines) + "\n"
    print(Text, end="")
    if Options.update:
        update(Options.update, Text + "\n", "utils/bench/flips.py")
    return 1 if Bad else 0


if __name__ == "__main__":
    sys.exit(main())
