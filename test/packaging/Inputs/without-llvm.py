#!/usr/bin/env python3
"""Whether the tool of this build is what would be built where no LLVM is.

usage: without-llvm.py CMAKE SOURCES BUILD FOLDER

Configures in FOLDER, as BUILD was but where no LLVM is to be found. Both must compile
the tool by the same commands; and of what BUILD's objects were made, nothing may be a
header of LLVM. So what was compiled here compiles there, and is not compiled again.
"""

import os
import re
import shlex
import subprocess
import sys

TARGET = "instantrace"
AS_HERE = ("CMAKE_BUILD_TYPE", "CMAKE_UNITY_BUILD", "CMAKE_CXX_COMPILER", "CMAKE_CXX_FLAGS", "INSTANTRACE_TOOL_OPTIONS")
LLVM = re.compile(r"/(llvm|clang)(-c|-\d+)?/")


def cached(Build):
    with open(os.path.join(Build, "CMakeCache.txt"), encoding="utf-8") as File:
        Entries = dict(re.findall(r"^(\w+):\w+=(.*)$", File.read(), re.M))
    Flags = "CMAKE_CXX_FLAGS_" + Entries["CMAKE_BUILD_TYPE"].upper()
    return {Key: Entries[Key] for Key in (*AS_HERE, Flags) if Key in Entries}


def configure(CMake, Sources, Here, Folder):
    Command = [CMake, "-S", Sources, "-B", Folder, "-G", "Ninja", "-DBUILD_TESTING=OFF"]
    Command += ["-DINSTANTRACE_CLANG_MAJORS=", "-DINSTANTRACE_LLVM_PREFIX=%s/no-llvm-" % Folder]
    Command += ["-D%s=%s" % Entry for Entry in cached(Here).items()]
    subprocess.run(Command, check=True, stdout=subprocess.DEVNULL)


def ninja(Build, *Words):
    return subprocess.run(["ninja", "-C", Build, "-t", *Words], check=True, capture_output=True, text=True).stdout


def compiles(Build):
    """{object: the command} of all that the tool is linked of."""
    Found = {}
    for Line in ninja(Build, "commands", TARGET).splitlines():
        Words = shlex.split(Line.replace(Build, "BUILD"))
        if "-c" in Words and "-o" in Words:
            Found[Words[Words.index("-o") + 1]] = Words
    return Found


def headers(Build, Objects):
    """Pairs (object, header)."""
    Of = None
    for Line in ninja(Build, "deps").splitlines():
        if Line and not Line.startswith(" "):
            Of = Line.split(":")[0]
        elif Line and Of in Objects:
            yield Of, Line.strip()


def main(CMake, Sources, Here, Folder):
    configure(CMake, Sources, Here, Folder)
    Mine, There = compiles(Here), compiles(Folder)
    Wrong = ["%s:\n  %s\n  without LLVM: %s" % (O, Mine.get(O), There.get(O)) for O in {*Mine, *There} if Mine.get(O) != There.get(O)]
    Seen = list(headers(Here, Mine))
    Wrong += ["%s: made of %s" % Pair for Pair in Seen if LLVM.search(Pair[1])]
    Wrong += ["%s: not known what it was made of" % Object for Object in set(Mine) - {Object for Object, _ in Seen}]
    for Line in sorted(Wrong):
        print(Line)
    print("%d objects of %d headers, %d wrong" % (len(Mine), len({Header for _, Header in Seen}), len(Wrong)))


if __name__ == "__main__":
    main(sys.argv[1], *map(os.path.realpath, sys.argv[2:]))
