"""Compiles a file in many ways, without and with a profile of the backend.

usage: identical.py CLANG PLUGIN SOURCE SCRATCH MAJOR

Every file that a compile leaves, its messages and its exit code have to be the same,
but for the trace.
"""

import os
import shutil
import subprocess
import sys

CLANG, PLUGIN, SOURCE, SCRATCH = sys.argv[1:5]
MAJOR = int(sys.argv[5])

WAYS = [
    ["-O0"], ["-O1"], ["-O2"], ["-Os"], ["-Oz"], ["-O3", "-g"], ["-O0", "-g"],
    ["-O2", "-flto"], ["-O2", "-flto=thin"], ["-O2", "-ffunction-sections", "-fdata-sections"],
    ["-O2", "-S"], ["-O2", "-S", "-emit-llvm"], ["-O2", "-emit-llvm"], ["-O0", "-S", "-emit-llvm"],
    ["-O2", "-save-temps"], ["-O2", "-fno-integrated-as"],
    ["-O2", "-fsanitize=address"], ["-O1", "-fsanitize=undefined"],
    ["-O2", "-fprofile-instr-generate", "-fcoverage-mapping"], ["-O2", "--coverage"],
    ["-O2", "-Rpass=inline"], ["-O2", "-Rpass-analysis=asm-printer"],
    ["-O2", "-Rpass-missed=regalloc", "-Rpass-analysis=size-info"],
    ["-O2", "-fsave-optimization-record"], ["-O2", "-foptimization-record-passes=asm-printer",
                                            "-fsave-optimization-record"],
    ["-O2", "-Wframe-larger-than=1"], ["-O2", "-mllvm", "-opt-bisect-limit=40"],
    ["-O2", "-Xclang", "-disable-llvm-passes"], ["-O2", "-fno-temp-file"] if MAJOR >= 22 else ["-O2", "-fPIC"],
    ["-O2", "--target=aarch64-linux-gnu"], ["-Oz", "--target=aarch64-linux-gnu"],
    ["-O2", "--target=wasm32"],
    ["-O2", "-fno-exceptions", "-fno-rtti"], ["-O2", "-fsyntax-only"], ["-O2", "-D", "kept=no template"],
]
if MAJOR == 14:
    WAYS.append(["-O2", "-flegacy-pass-manager"])


def compiled(Folder, Way, Profile):
    shutil.rmtree(Folder, ignore_errors=True)
    os.makedirs(Folder)
    shutil.copy(SOURCE, os.path.join(Folder, "a.cpp"))
    Command = [CLANG, "-std=c++17", *Way, *Profile, "-c", "a.cpp"]
    if not any(Option.startswith("-S") or Option == "-fsyntax-only" for Option in Way):
        Command += ["-o", "a.o"]
    if "-c" in Command and ("-S" in Way or "-fsyntax-only" in Way):
        Command.remove("-c")
    Done = subprocess.run(Command, cwd=Folder, capture_output=True, check=False, timeout=300)
    Left = {}
    for Name in sorted(os.listdir(Folder)):
        with open(os.path.join(Folder, Name), "rb") as File:
            Left[Name] = File.read()
    return Done.returncode, Done.stdout, Done.stderr, Left


def main():
    Profile = ["-fplugin=" + PLUGIN, "-fplugin-arg-instantrace-backend=on"]
    Differences = Traced = 0
    for Way in WAYS:
        # In one folder: debug information and warnings name it.
        Plain = compiled(SCRATCH, Way, [])
        Traces = []
        Profiled = compiled(SCRATCH, Way, Profile)
        for Name in list(Profiled[3]):
            if Name.endswith(".itrace"):
                Traces.append(Name)
                del Profiled[3][Name]
        Traced += len(Traces)
        for What, A, B in zip(("exit code", "stdout", "stderr", "files"), Plain, Profiled):
            if A != B:
                Differences += 1
                Shown = {Name: len(Bytes) for Name, Bytes in A.items()} if What == "files" else A
                Other = {Name: len(Bytes) for Name, Bytes in B.items()} if What == "files" else B
                print(" ".join(Way), What, "differs:", str(Shown)[:300], "and", str(Other)[:300])
    if Traced < len(WAYS) - 3:
        print(Traced, "of", len(WAYS), "compiles have a trace")
        Differences += 1
    print(len(WAYS), "compiles,", Differences, "differences")


main()
