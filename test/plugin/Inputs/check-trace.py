"""Checks that everything which reads traces reads this one, and alike.

usage: check-trace.py SOURCE-ROOT TRACE...

`instantrace verify` finds nothing, libprotobuf and our reader agree on every
field (instantrace-agreement), `protoc --decode` reads it, and the trace's text
makes the same trace again.
"""

import subprocess
import sys


def run(*Command, Input=None):
    Result = subprocess.run(
        Command, input=Input, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    if Result.returncode != 0:
        sys.exit(
            "%s: exit %d\n%s%s"
            % (
                " ".join(Command),
                Result.returncode,
                Result.stdout.decode(errors="replace")[-4000:],
                Result.stderr.decode(errors="replace")[-4000:],
            )
        )
    return Result.stdout


def main():
    Root, *Traces = sys.argv[1:]
    for Trace in Traces:
        run("instantrace", "verify", Trace)
        run("instantrace-agreement", Trace)
        with open(Trace, "rb") as File:
            Bytes = File.read()
        Decoded = run(
            "protoc",
            "--decode=instantrace.proto.Trace",
            "-I" + Root + "/proto",
            "trace.proto",
            Input=Bytes,
        )
        if not Decoded.startswith(b"packet {"):
            sys.exit(Trace + ": protoc decodes nothing")
        Text = run("instantrace", "dump", "--format=textproto", Trace)
        run("instantrace", "assemble", "-", "-o", Trace + ".again", Input=Text)
        with open(Trace + ".again", "rb") as File:
            if File.read() != Bytes:
                sys.exit(Trace + ": its text makes another trace")


main()
