"""Compiles a file with the byte 0xFF in its name.

usage: odd-file-name.py PLUGIN FOLDER CLANG

The trace has to be accepted, its names have to be Clang's, and one of them has to
have the byte.
"""

import os
import subprocess
import sys

SOURCE = b"template <class T> int use(T X) { return X(); }\nint A = use([] { return 1; });\n"


def main():
    Plugin, Folder, Clang = sys.argv[1:]
    os.chdir(Folder)
    Name = b"a\xff.cpp"
    with open(Name, "wb") as File:
        File.write(SOURCE)
    subprocess.run(
        [
            Clang,
            "-fsyntax-only",
            "-fplugin=" + Plugin,
            "-fplugin-arg-instantrace-check-names=names",
            "-fplugin-arg-instantrace-output=a.itrace",
            Name,
        ],
        check=True,
    )
    subprocess.run(["instantrace", "verify", "a.itrace"], check=True)
    with open("names", "rb") as File:
        if not File.read().endswith(b" entities, 0 differences\n"):
            sys.exit("a name differs")
    Dump = subprocess.run(
        ["instantrace", "dump", "--format=textproto", "a.itrace"],
        check=True,
        stdout=subprocess.PIPE,
    ).stdout
    if rb"(lambda at a\377.cpp:2:13)" not in Dump:
        sys.exit("no name has the byte")


main()
