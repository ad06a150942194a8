"""usage: bounded.py MAKER COUNT [--seconds=N] [--megabytes=N] FILE COMMAND...

Makes FILE with a function of utils/bench/hostile.py, of so many things, and runs
each COMMAND on it, with {} for its name and {out} for one that is free. The limits
are of CPU and of address space, which do not depend on what else runs, and generous:
what is to be found takes minutes, or all memory there is.
"""
import os
import resource
import shlex
import subprocess
import sys

sys.dont_write_bytecode = True
ROOT = os.path.abspath(__file__).split(os.sep + os.path.join("test", "tool") + os.sep)[0]
sys.path.insert(0, os.path.join(ROOT, "utils", "bench"))
import hostile  # noqa: E402

Limits = {"seconds": 60, "megabytes": 1024}
Words = []
for Word in sys.argv[1:]:
    Name, _, Value = Word.removeprefix("--").partition("=")
    if Word.startswith("--"):
        Limits[Name] = int(Value)
    else:
        Words.append(Word)
Maker, Count, File, *Commands = Words
hostile.make(Maker, int(Count), "instantrace", File)


def limit():
    Bytes = Limits["megabytes"] << 20
    resource.setrlimit(resource.RLIMIT_CPU, (Limits["seconds"], Limits["seconds"]))
    resource.setrlimit(resource.RLIMIT_AS, (Bytes, Bytes))


for Command in Commands:
    Out = File + ".out"
    if os.path.exists(Out):
        os.remove(Out)
    Run = subprocess.run(["instantrace", *[W.format(File, out=Out) for W in shlex.split(Command)]],
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=limit)
    # 3: `budget` found what is over it.
    assert Run.returncode in (0, 3), (Command, Run.returncode, Run.stderr[-1000:])
