"""Compiles our files one by one, as a build does that is not one of large units.

usage: compiles-alone.py [--all | --files N] CLANG BUILD [FILE...]

A file that gets a declaration through another one's includes compiles in CI's
builds, whose units are made of many files, and fails for who changes it. Checked
are the FILEs, or those of runtime/ and utils/ that the last 20 commits changed, up
to N (40), those changed last first; with --all every one. What takes longest to
read, third parties' headers, is compiled once. BUILD has what protoc makes. Exits
with 1 when a file failed, and when there was none.
"""

import argparse
import concurrent.futures
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "test"))
import tidy  # noqa: E402

HEADERS = ["<CLI/CLI.hpp>", "<fmt/format.h>", "<protozero/pbf_reader.hpp>", '"proto/trace.pb.h"']
# A header is compiled as if it were the file.
OPTIONS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-pragma-once-outside-header"]
# libstdc++ 12 uses itself what it says is deprecated.
OPTIONS += ["-Wno-deprecated-declarations", '-DINSTANTRACE_VERSION="0"', '-DINSTANTRACE_BUILD_TYPE=""', "-DFMT_SHARED"]


def ours(Path):
    return Path.startswith(("runtime/", "utils/")) and Path.endswith((".cpp", ".h"))


def changed(Limit):
    Files = [F for F in tidy.changed_files(20) if ours(F) and os.path.exists(os.path.join(ROOT, F))]
    if len(Files) > Limit:
        print("%d changed files are left to --all" % (len(Files) - Limit))
    return Files[:Limit]


def every():
    for Top in ("runtime", "utils"):
        for Folder, _, Names in os.walk(os.path.join(ROOT, Top)):
            yield from (P for N in sorted(Names) if ours(P := os.path.relpath(os.path.join(Folder, N), ROOT)))


def main():
    Parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    Parser.add_argument("--all", action="store_true")
    Parser.add_argument("--files", type=int, default=40)
    Parser.add_argument("clang")
    Parser.add_argument("build")
    Parser.add_argument("file", nargs="*")
    Options = Parser.parse_args()
    # Without history, as in an archive, the first that there are.
    Files = Options.file or (list(every()) if Options.all else changed(Options.files) or list(every())[: Options.files])
    Command = [Options.clang] + OPTIONS + ["-I" + ROOT, "-isystem", Options.build]
    with tempfile.TemporaryDirectory() as Folder:
        Header, Compiled = os.path.join(Folder, "third-party.h"), os.path.join(Folder, "third-party.pch")
        with open(Header, "w") as File:
            File.writelines("#include %s\n" % H for H in HEADERS)
        Precompile = [O for O in Command if O != "-fsyntax-only"] + ["-x", "c++-header", "-o", Compiled, Header]
        subprocess.run(Precompile, check=True)

        def check(Name):
            Run = Command + ["-include-pch", Compiled, "-x", "c++", os.path.join(ROOT, Name)]
            return Name, subprocess.run(Run, capture_output=True, text=True, cwd=ROOT)

        with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("INSTANTRACE_JOBS") or os.cpu_count())) as Pool:
            Bad = [(Name, Run) for Name, Run in Pool.map(check, Files) if Run.returncode]
    for Name, Run in Bad:
        print("%s does not compile alone:\n%s" % (Name, Run.stderr))
    print("%d files compiled alone, %d failed" % (len(Files), len(Bad)))
    return 1 if Bad or not Files else 0


if __name__ == "__main__":
    sys.exit(main())
