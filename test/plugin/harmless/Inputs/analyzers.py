"""Runs the analyzers on every command of the harmless suite, without and with the plugin.

usage: analyzers.py PLUGIN SCRATCH CLANG++

The table of commands is the suite itself: what the scripts of harmless/builds and the
RUN lines of harmless/*.cpp and *.test give to Clang's drivers is noted while they run
without the plugin. Then each command that names a source is analyzed by clang-tidy (its
default checks and the analyzer's, all warnings errors; also with the plugin from the
environment alone), by --analyze, by -Xclang -analyze, and by clangd; the first of each
test by the compiler that scan-build puts in place, too, which calls --analyze. What they
say and their exit codes have to be the same.
"""

import concurrent.futures
import difflib
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

Plugin, Scratch, ClangXX = sys.argv[1:]
Bin = os.path.dirname(ClangXX)
Suite = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
Major = int(re.search(r"llvm-(\d+)", Bin)[1])
DRIVERS = ("clang", "clang++", "clang-cl", "clang-cpp")
# Scripts that need more than Clang, or that run these very tools.
OTHERS = {"analyzers", "ccache", "other-tools", "read-only-directory"}
# What the commands of RUN lines compile here: the shape of the command counts.
SMALL = "template <class T> struct Box { T get() { return T(); } };\nint use();\nint use() { return Box<int>().get(); }\n"
# No assembly: clangd 14 does not end with it.
SOURCE = re.compile(r"\.(c|cc|cpp|cxx|cppm|cu|h|i|ii)$")
NO_INPUT = {"-o", "-include", "-include-pch", "-MF", "-MT", "-MQ", "-D", "-I", "-isystem", "-Xclang"}


def run(Command, Folder, Environment):
    Done = subprocess.run(Command, cwd=Folder, env=dict(os.environ, **Environment), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="backslashreplace")
    # A node of the AST and a temporary file have another name each time. Where it cannot handle
    # a command, clang-tidy shows its jobs, with the plugin in them.
    Said = re.sub(r"0x[0-9a-f]+|(?<=-)[0-9a-f]{6}(?=\.\w)", "NAME", Done.stdout)
    return Done.returncode, Said.replace(' "-load" "%s"' % Plugin, "")


def wrappers(Log):
    """A folder with the drivers, each of which notes its command, and Clang's other tools."""
    Folder = os.path.join(Scratch, "bin")
    os.makedirs(Folder)
    os.makedirs(Log)
    for Tool in os.listdir(Bin):
        Path = os.path.join(Folder, Tool)
        if Tool not in DRIVERS:
            os.symlink(os.path.join(Bin, Tool), Path)
            continue
        with open(Path, "w") as File:
            File.write('#!/bin/sh\nprintf "%%s\\0" "$PWD" %s "$@" > %s/$$\nexec %s "$@"\n'
                       % (Tool, shlex.quote(Log), shlex.quote(os.path.join(Bin, Tool))))
        os.chmod(Path, 0o755)
    return Folder


def script_of(Test, Folder):
    """The script that a test compares, in a folder with the other files of the test; none if it has none."""
    with open(Test) as File:
        Text = File.read()
    if Major < 16 and "-format=p1689" in Text:
        return None
    Needs = re.search(r"REQUIRES: clang-ge-(\d+)", Text)
    if "RUN: %same_without_plugin" not in Text or (Needs and Major < int(Needs[1])):
        return None
    if Test.endswith(".test"):
        os.makedirs(Folder)
        subprocess.run(["split-file", Test, Folder], check=True)
    else:
        os.makedirs(Folder)
    Script = re.search(r"%same_without_plugin .*?--script %t/(\S+)", Text.replace("\\\n# RUN:", ""))
    if Script:
        return Script[1]
    Lines = []
    for Words in re.findall(r"^(?:#|//) RUN: %same_without_plugin (?:--traces \d+ )?(%clang(?:xx)? .*)", Text, re.M):
        for Words in re.split(r"\{then\} ", Words):
            Words = re.sub(r"^%clang(?:xx)? |^", lambda M: "$CC " if M[0] == "%clang " else "$CXX ", Words, count=1)
            Lines.append(Words.replace("%s", "small" + os.path.splitext(Test)[1]).replace("%t/", ""))
    if not Test.endswith(".test"):
        with open(os.path.join(Folder, "small" + os.path.splitext(Test)[1]), "w") as File:
            File.write("int one(void);\nint one(void) { return 1; }\n" if Test.endswith(".c") else SMALL)
    with open(os.path.join(Folder, "run.sh"), "w") as File:
        File.write("\n".join(Lines) + "\n")
    return "run.sh"


def noted():
    """[folder, driver, argument...] of each command that Clang's drivers are given."""
    Log = os.path.join(Scratch, "log")
    Wrapped = wrappers(Log)
    Environment = {"CLANG": Wrapped, "CXX": Wrapped + "/clang++", "CC": Wrapped + "/clang", "PLUGIN": "", "OVERRIDE": "#"}
    for Test in sorted(glob.glob(Suite + "/*.cpp") + glob.glob(Suite + "/*.c") + glob.glob(Suite + "/*.test") + glob.glob(Suite + "/builds/*.test")):
        Name = os.path.splitext(os.path.basename(Test))[0]
        Folder = os.path.join(Scratch, Name, "run")  # they also write beside it
        Script = script_of(Test, Folder) if Name not in OTHERS else None
        if Script:
            Code, Said = run(["sh", "-eu", Script], Folder, Environment)
            assert Code == 0, (Test, Said)
    for Path in sorted(glob.glob(Log + "/*"), key=lambda P: (os.stat(P).st_mtime_ns, P)):
        with open(Path, errors="surrogateescape") as File:
            yield File.read().split("\0")[:-1]


def shapes():
    """(folder, driver, arguments, source) of each that names a source which is there. Those that
    differ by numbers in names of files alone are one."""
    Seen = set()
    for Folder, Driver, *Arguments in noted():
        if not os.path.isdir(Folder):
            continue
        for Before, Name in zip([""] + Arguments, Arguments):
            Path = os.path.join(Folder, Name)
            if SOURCE.search(Name) and Before not in NO_INPUT and Name[0] not in "-@" and os.path.isfile(Path):
                Key = (Driver, *[A if A[:1] == "-" else re.sub(r"\d+", "", A) for A in Arguments])
                if Key not in Seen:
                    Seen.add(Key)
                    yield Folder, Driver, Arguments, Path
                break


def is_cl(Shape):
    return Shape[1] == "clang-cl" or "--driver-mode=cl" in Shape[2]


def command(Shape, With):
    """With the plugin as `record` gives it to this driver."""
    Load = [] if not With else ["-Xclang", "-load", "-Xclang", Plugin] if is_cl(Shape) else ["-fplugin=" + Plugin]
    return [os.path.join(Bin, Shape[1]), *Load, *Shape[2]]


def database(Name, Shapes, With):
    Folder = os.path.join(Scratch, Name)
    os.makedirs(Folder)
    with open(os.path.join(Folder, "compile_commands.json"), "w") as File:
        json.dump([{"directory": S[0], "file": S[3], "arguments": command(S, With)} for S in Shapes], File)
    return Folder


def override():
    Value = subprocess.run(["instantrace", "--print-override"], check=True, capture_output=True, text=True).stdout.strip()
    return re.sub(r"\^/\S+", lambda _: "^" + Plugin, Value)


def tidy(Shapes):
    """What differs between runs of clang-tidy over all commands, for each set of checks."""
    Tool = os.path.join(Bin, "clang-tidy")
    # By default, 22 checks nothing, which it takes for a mistake.
    Sets = ([[]] if Major < 22 else []) + [["--checks=-*,clang-diagnostic-*,clang-analyzer-*"]]
    Sources = sorted({S[3] for S in Shapes})
    for Index, Checks in enumerate(Sets):
        Said = []
        for Name, With, Environment in (("without", False, {}), ("with", True, {}), ("environment", False, {"CCC_OVERRIDE_OPTIONS": override()})):
            Folder = database("%s-%d" % (Name, Index), Shapes, With)
            # --config: not what a folder above this one asks for.
            Said.append(run([Tool, "-p", Folder, "--config={}", "--warnings-as-errors=*", *Checks, *Sources], Scratch, Environment))
        for Name, Other in (("with", Said[1]), ("environment", Said[2])):
            if Other != Said[0]:
                yield "clang-tidy " + " ".join(Checks), Name, Said[0], Other


def analyses(Number, Shape, HasScanBuild):
    """[(name, result)] without the plugin and with it, of one command."""
    Libexec = "/usr/share/clang/scan-build-%d/libexec" % Major
    for With in (False, True):
        Command = command(Shape, With)
        Reports = os.path.join(Scratch, "reports-%d" % Number)
        os.makedirs(Reports, exist_ok=True)
        Folder = database("clangd-%d-%d" % (Number, With), [Shape], With)
        Load = Command[:-len(Shape[2])]
        # Its output may be a precompiled header that others read meanwhile.
        Elsewhere = [os.path.join(Reports, "output") if Before == "-o" else Word
                     for Before, Word in zip([""] + Shape[2], Shape[2])]
        Results = [("--analyze", run([*Load, "--analyze", *Elsewhere], Shape[0], {})),
                   ("-Xclang -analyze", run([*Load, "-Xclang", "-analyze", *Elsewhere], Shape[0], {}))]
        if HasScanBuild and os.path.isdir(Libexec):
            Wrapper = "c++-analyzer" if Shape[1] == "clang++" else "ccc-analyzer"
            Results.append(("scan-build", run([os.path.join(Libexec, Wrapper), *Command[1:]], Shape[0], {
                "CCC_CC": "true", "CCC_CXX": "true",  # it also compiles, which the suite does
                "CLANG": Bin + "/clang", "CLANG_CXX": ClangXX, "CCC_ANALYZER_HTML": Reports})))
        Code, Said = run([os.path.join(Bin, "clangd"), "--compile-commands-dir=" + Folder, "--background-index=0", "--check=" + Shape[3]], Shape[0], {})
        # It says when, where it is, and the command; compared is what it found.
        Found = [A or B for A, B in re.findall(r"^[EW]\[[^]]*\] (.*)|(All checks completed.*)", Said, re.M)]
        Results.append(("clangd", (Code, "\n".join(Found))))
        yield Results


def main():
    shutil.rmtree(Scratch, ignore_errors=True)
    os.makedirs(Scratch)
    Shapes = list(shapes())
    Faults = list(tidy(Shapes))
    Firsts = {S[0]: I for I, S in reversed(list(enumerate(Shapes))) if not is_cl(S)}.values()
    with concurrent.futures.ThreadPoolExecutor(2) as Pool:
        Pairs = list(Pool.map(lambda P: list(analyses(*P, P[0] in Firsts)), enumerate(Shapes)))
    for Shape, (Without, With) in zip(Shapes, Pairs):
        for (Name, One), (_, Other) in zip(Without, With):
            if One != Other:
                Faults.append((Name, " ".join([Shape[1], *Shape[2]]), One, Other))
    for Name, Which, (Code, Said), (OtherCode, OtherSaid) in Faults:
        print("%s, %s: exit code %d without the plugin, %d with it" % (Name, Which, Code, OtherCode))
        print("\n".join(list(difflib.unified_diff(Said.splitlines(), OtherSaid.splitlines(), lineterm=""))[:40]))
    print("%d commands analyzed, %d differences" % (len(Shapes), len(Faults)))


main()
