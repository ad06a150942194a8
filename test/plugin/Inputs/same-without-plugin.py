"""Runs one compile without and with Instantrace and compares all it does.

usage: same-without-plugin.py PLUGIN SCRATCH [--traces N] CLANG ARGUMENT...

Each run has a folder of its own, of the same name since debug information
contains it: SCRATCH/run. The exit code, standard output, standard error and
every file in the folder have to be the same byte for byte; only *.itrace may
be new, and there have to be N of them (default: at least one), each of which
`instantrace verify` accepts. Standard output has to be empty. {then} among the
arguments starts another command: CLANG A B {then} C D runs CLANG twice.
"""

import os
import shutil
import subprocess
import sys


def commands(Clang, Arguments):
    Command = [Clang]
    for Argument in Arguments:
        if Argument == "{then}":
            yield Command
            Command = [Clang]
        else:
            Command.append(Argument)
    yield Command


def run(Clang, Plugin, Arguments, Folder):
    """What the compile did: (exit codes, stdout, stderr, {file: bytes})."""
    shutil.rmtree(Folder, ignore_errors=True)
    os.makedirs(Folder)
    Codes, Out, Err = [], b"", b""
    for Command in commands(Clang, Arguments):
        if Plugin:
            Command[1:1] = ["-fplugin=" + Plugin]
        Result = subprocess.run(
            Command, cwd=Folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        Codes.append(Result.returncode)
        Out += Result.stdout
        Err += Result.stderr
    Files = {}
    for Parent, _, Names in os.walk(Folder):
        for Name in Names:
            Path = os.path.join(Parent, Name)
            with open(Path, "rb") as File:
                Files[os.path.relpath(Path, Folder)] = File.read()
    return Codes, Out, Err, Files


def main():
    Plugin, Scratch, *Rest = sys.argv[1:]
    Wanted = None
    if Rest[0] == "--traces":
        Wanted = int(Rest[1])
        Rest = Rest[2:]
    Clang, *Arguments = Rest
    Folder = os.path.join(Scratch, "run")
    Without = run(Clang, None, Arguments, Folder)
    With = run(Clang, Plugin, Arguments, Folder)
    Traces = [F for F in With[3] if F.endswith(".itrace")]
    for Trace in Traces:
        del With[3][Trace]
    Faults = []
    if Without[0] != With[0]:
        Faults.append("exit codes %s without, %s with" % (Without[0], With[0]))
    if Without[1] != With[1] or With[1]:
        Faults.append("stdout %r without, %r with" % (Without[1], With[1]))
    if Without[2] != With[2]:
        Faults.append(
            "stderr without:\n%s\nstderr with:\n%s"
            % (Without[2].decode(), With[2].decode())
        )
    for Name in sorted(set(Without[3]) | set(With[3])):
        if Without[3].get(Name) != With[3].get(Name):
            Faults.append("file %s differs" % Name)
    if len(Traces) != Wanted if Wanted is not None else not Traces:
        Faults.append("%d traces: %s" % (len(Traces), Traces))
    for Trace in Traces:
        Verify = subprocess.run(
            ["instantrace", "verify", os.path.join(Folder, Trace)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        if Verify.returncode != 0:
            Faults.append(Verify.stdout.decode())
    if Faults:
        sys.exit("\n".join(Faults))
    print(
        "exit %s, %d bytes on stderr, files: %s"
        % (With[0], len(With[2]), " ".join(sorted(With[3])) or "none")
    )


main()
