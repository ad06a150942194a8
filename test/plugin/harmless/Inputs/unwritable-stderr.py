"""usage: unwritable-stderr.py OBJECT COMMAND...

Runs a compile whose stderr is full, closed, or a pipe that nobody reads, with the
plugin and without it: COMMAND has `--` before the plugin's options and `--` behind
them. Exit codes and objects are equal, and what the plugin says is lost.
"""
import os
import subprocess
import sys

Object, *Words = sys.argv[1:]
First = Words.index("--")
Second = Words.index("--", First + 1)
Plain, Plugin = Words[:First] + Words[Second + 1:], Words[:First] + Words[First + 1:Second] + Words[Second + 1:]


def compile_with(Command, Stderr):
    if os.path.exists(Object):
        os.remove(Object)
    Run = subprocess.run(Command, stdout=subprocess.PIPE, **Stderr)
    with open(Object, "rb") as File:
        return Run.returncode, Run.stdout, File.read()


def full():
    return {"stderr": os.open("/dev/full", os.O_WRONLY)}


def closed():
    return {"preexec_fn": lambda: os.close(2)}


def broken():
    Reader, Writer = os.pipe()
    os.close(Reader)
    return {"stderr": Writer}


for Make in (full, closed, broken):
    Without, With = compile_with(Plain, Make()), compile_with(Plugin, Make())
    assert Without[0] == 0, (Make.__name__, Without[0])
    assert With[:2] == Without[:2], (Make.__name__, With[:2])
    assert With[2] == Without[2], Make.__name__
Said = subprocess.run(Plugin, stderr=subprocess.PIPE, check=True).stderr
assert Said.startswith(b"instantrace: "), Said
