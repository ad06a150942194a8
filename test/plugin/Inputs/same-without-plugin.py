"""Runs compiles without and with Instantrace and compares all they do.

usage: same-without-plugin.py PLUGIN SCRATCH [OPTION...] CLANG++ ARGUMENT...
       same-without-plugin.py PLUGIN SCRATCH [OPTION...] --script FILE CLANG++

Each run has a folder of its own, of the same name since debug information
contains it: SCRATCH/run. The exit code, standard output, standard error and
every file in the folder, with its mode, have to be the same byte for byte; only
*.itrace may be new.

{then} among the arguments starts another command: CLANG A B {then} C D runs CLANG
twice, and nothing may come on standard output. A script is run by `sh -eu`, in a
folder with links to all files that are beside FILE, and has to end with 0. It has CXX
and CC, which are CLANG++ and its clang with the plugin's option, PLUGIN, which is that
option, OVERRIDE, which loads it as CCC_OVERRIDE_OPTIONS, and CLANG, which is the folder
of CLANG++; without Instantrace PLUGIN is empty, and OVERRIDE changes nothing.

  --traces N|NAME,...  how many traces there have to be, or which (patterns, each of
                       as many as it is listed times); by default at least one. Each is complete, and
                       `instantrace verify` accepts it
  --names-only NAME    a pattern of files that are the same by name alone, since
                       they contain times
  --warning TEXT       a regular expression: the one line of standard error that is
                       there with Instantrace and not without
  --user               the runs are not the superuser's, or without its powers
"""

import argparse
import difflib
import fnmatch
import os
import re
import shutil
import stat
import subprocess
import sys

# The superuser without its capabilities is kept out by permissions like anybody,
# and can still read what is below a folder that is root's alone.
WITHOUT_POWERS = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]


def parse():
    Parser = argparse.ArgumentParser()
    Parser.add_argument("plugin")
    Parser.add_argument("scratch")
    Parser.add_argument("--traces")
    Parser.add_argument("--names-only", action="append", default=[])
    Parser.add_argument("--warning")
    Parser.add_argument("--user", action="store_true")
    Parser.add_argument("--script")
    Parser.add_argument("clang")
    Parser.add_argument("arguments", nargs=argparse.REMAINDER)
    return Parser.parse_args()


def commands(Clang, Arguments):
    Command = [Clang]
    for Argument in Arguments:
        if Argument == "{then}":
            yield Command
            Command = [Clang]
        else:
            Command.append(Argument)
    yield Command


def remove(Folder):
    """Also one with folders that may not be written to."""
    for Parent, Folders, _ in os.walk(Folder):
        for Name in Folders:
            Path = os.path.join(Parent, Name)
            if not os.path.islink(Path):
                os.chmod(Path, 0o700)
    shutil.rmtree(Folder, ignore_errors=True)


def files(Folder):
    Found = {}
    for Parent, Folders, Names in os.walk(Folder):
        for Name in Names + Folders:
            Path = os.path.join(Parent, Name)
            Status = os.lstat(Path)
            Contents = None
            if stat.S_ISREG(Status.st_mode):
                with open(Path, "rb") as File:
                    Contents = File.read()
            elif stat.S_ISLNK(Status.st_mode):
                Contents = os.readlink(Path)
            Found[os.path.relpath(Path, Folder)] = (Status.st_mode, Contents)
    return Found


def override(Plugin):
    """What the tool has for the build's own plugin, for the one that is tested."""
    Command = ["instantrace", "--print-override"]
    Value = subprocess.run(Command, check=True, stdout=subprocess.PIPE).stdout.decode().strip()
    return re.sub(r"\^/\S+", lambda _: "^" + Plugin, Value)


def run(Options, Folder, Plugin):
    """What happened: (exit codes, stdout, stderr, {file: (mode, contents)})."""
    remove(Folder)
    Load = ["-fplugin=" + Plugin] if Plugin else []
    Environment = dict(os.environ)
    if Options.script:
        # Links: OpenMP writes the numbers of inodes into objects, PCHs have times.
        shutil.copytree(os.path.dirname(Options.script), Folder, copy_function=os.link)
        Clang = Options.clang
        Environment["CLANG"] = os.path.dirname(Clang)
        Environment["PLUGIN"] = " ".join(Load)
        Environment["OVERRIDE"] = override(Plugin) if Plugin else "#"
        Environment["CXX"] = " ".join([Clang] + Load)
        Environment["CC"] = " ".join([re.sub(r"\+\+$", "", Clang)] + Load)
        Commands = [["sh", "-eu", os.path.basename(Options.script)]]
    else:
        os.makedirs(Folder)
        Commands = [C[:1] + Load + C[1:] for C in commands(Options.clang, Options.arguments)]
    if Options.user and os.geteuid() == 0:
        Commands = [WITHOUT_POWERS + C for C in Commands]
    Codes, Out, Err = [], b"", b""
    for Command in Commands:
        Result = subprocess.run(
            Command,
            cwd=Folder,
            env=Environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        Codes.append(Result.returncode)
        Out += Result.stdout
        Err += Result.stderr
    return Codes, Out, Err, files(Folder)


def text(Bytes):
    return Bytes.decode(errors="backslashreplace")


def without_warning(Err, Warning):
    """Standard error without the one line that matches, and what is wrong with it."""
    Lines = Err.splitlines(keepends=True)
    Matching = [Line for Line in Lines if re.search(Warning, text(Line))]
    if len(Matching) != 1:
        return Err, ["%d lines match %r" % (len(Matching), Warning)]
    Lines.remove(Matching[0])
    return b"".join(Lines), []


def wrong_traces(Wanted, Traces):
    if Wanted is None:
        return not Traces
    if Wanted.isdigit():
        return len(Traces) != int(Wanted)
    Patterns = Wanted.split(",")
    return len(Patterns) != len(Traces) or any(
        len(fnmatch.filter(Traces, Pattern)) != Patterns.count(Pattern) for Pattern in Patterns
    )


def verify(Folder, Traces):
    Verify = subprocess.run(
        ["instantrace", "verify"] + [os.path.join(Folder, Trace) for Trace in Traces],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    Said = text(Verify.stdout)
    return [Said] if Verify.returncode != 0 or "incomplete" in Said else []


def compare(Options, Without, With):
    Faults = []
    if Without[0] != With[0]:
        Faults.append("exit codes %s without, %s with" % (Without[0], With[0]))
    if Options.script and any(Without[0]):
        Faults.append("the script fails: exit codes %s" % Without[0])
    if Without[1] != With[1] or (With[1] and not Options.script):
        Faults.append("stdout %r without, %r with" % (Without[1], With[1]))
    Err = With[2]
    if Options.warning:
        Err, Wrong = without_warning(Err, Options.warning)
        Faults += Wrong
    if Without[2] != Err:
        Lines = [text(E).splitlines() for E in (Without[2], Err)]
        Faults.append("\n".join(difflib.unified_diff(*Lines, "stderr without", "with", lineterm="")))
    for Name in sorted(set(Without[3]) | set(With[3])):
        One, Other = Without[3].get(Name), With[3].get(Name)
        if One and Other and any(fnmatch.fnmatch(Name, P) for P in Options.names_only):
            One, Other = One[0], Other[0]
        if One != Other:
            Faults.append("file %s %s" % (Name, "differs" if One and Other else "is only one's"))
    return Faults


def main():
    Options = parse()
    Folder = os.path.join(Options.scratch, "run")
    Without = run(Options, Folder, None)
    With = run(Options, Folder, Options.plugin)
    Traces = sorted(F for F in With[3] if F.endswith(".itrace"))
    for Trace in Traces:
        del With[3][Trace]
    Faults = compare(Options, Without, With)
    if wrong_traces(Options.traces, Traces):
        Faults.append("%d traces: %s" % (len(Traces), " ".join(Traces)))
    if Traces:
        Faults += verify(Folder, Traces)
    if Faults:
        if Options.script:
            Faults.append("stderr of the script:\n" + text(With[2]))
        sys.exit("\n".join(Faults))
    print(
        "exit %s, %d bytes on stderr, files: %s; traces: %s"
        % (
            With[0],
            len(With[2]),
            " ".join(sorted(With[3])) or "none",
            " ".join(Traces) or "none",
        )
    )


main()
