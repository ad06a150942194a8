"""Runs the fuzz targets and says what they did, as a table.

usage: fuzz.py [--seconds N] [--jobs N] [--minimise] [TARGET...]

Each target (all of them if none is given) begins with its corpus in
test/fuzz/corpus and what earlier runs added to it in build-fuzz/fuzz/TARGET/new, and
runs N seconds (600), N targets at a time (2). What ends one is kept in
build-fuzz/fuzz/TARGET/found: put the input into the corpus under a name that says what
it found, and mend its cause.

--minimise runs nothing: it chooses the corpora anew from themselves and what runs have
added, at most a hundred inputs each that cover the most for their size. Inputs with names
of their own stay.
"""

import argparse
import concurrent.futures
import hashlib
import os
import re
import shutil
import subprocess
import sys

from run import ROOT

BUILD = os.path.join(ROOT, "build-fuzz")
CORPUS = os.path.join(ROOT, "test", "fuzz", "corpus")
# Longer inputs take longer and find nothing that shorter ones do not.
MOST_BYTES = {"sql": 1024, "command-line": 512, "names": 4096}
OTHER_MOST_BYTES = 4096
# Of a corpus, for tests that take seconds.
MOST_INPUTS, MOST_CORPUS_BYTES = 100, 40000
LIMITS = ["-rss_limit_mb=2048", "-timeout=10"]


def folder(Target, Name):
    Path = os.path.join(BUILD, "fuzz", Target, Name)
    os.makedirs(Path, exist_ok=True)
    return Path


def command(Target, *Options):
    Program = os.path.join(BUILD, "test", "fuzz", "fuzz-" + Target)
    MostBytes = MOST_BYTES.get(Target, OTHER_MOST_BYTES)
    return ["nice", "-n", "15", Program, "-max_len=%d" % MostBytes, *LIMITS, *Options]


def corpusOf(Target):
    Path = os.path.join(CORPUS, Target)
    os.makedirs(Path, exist_ok=True)
    return Path


def run(Target, Seconds):
    """The row of the table, and the exit code."""
    Found = folder(Target, "found")
    LogPath = os.path.join(folder(Target, ""), "log")
    Dictionary = os.path.join(ROOT, "test", "fuzz", "dictionaries", Target)
    Options = ["-max_total_time=%d" % Seconds, "-print_final_stats=1", "-artifact_prefix=%s/" % Found]
    if os.path.exists(Dictionary):
        Options.append("-dict=" + Dictionary)
    # Seeds that it has already are dropped by libFuzzer.
    subprocess.run(command(Target, "--write-seeds=" + folder(Target, "seeds")), check=True)
    with open(LogPath, "wb") as Log:
        Code = subprocess.run(
            command(Target, *Options, folder(Target, "new"), corpusOf(Target), folder(Target, "seeds")),
            cwd=folder(Target, "empty"),  # if one were to write files
            stdout=subprocess.DEVNULL,
            stderr=Log,
        ).returncode
    with open(LogPath, errors="replace") as Log:
        Text = Log.read()

    def last(Pattern):
        Matches = re.findall(Pattern, Text)
        return int(Matches[-1]) if Matches else 0

    Row = [
        Target,
        "{:,}".format(last(r"stat::number_of_executed_units: *(\d+)") or last(r"\n#(\d+)\t")),
        last(r"stat::average_exec_per_sec: *(\d+)") or last(r"exec/s: (\d+)"),
        last(r" cov: (\d+)"),
        last(r" ft: (\d+)"),
        len(os.listdir(corpusOf(Target))),
        "%.1f" % (sum(E.stat().st_size for E in os.scandir(corpusOf(Target))) / 1000),
        last(r"stat::peak_rss_mb: *(\d+)") or last(r"rss: (\d+)Mb"),
        "none" if Code == 0 else "see " + os.path.relpath(LogPath, ROOT),
    ]
    return Row, Code


def featuresOf(ControlPath):
    """Of each input, what it covers: from the notes that libFuzzer makes of a merge."""
    with open(ControlPath) as Control:
        Lines = Control.read().splitlines()
    Paths = Lines[2 : 2 + int(Lines[0])]
    Features = {Path: set() for Path in Paths}
    for Line in Lines[2 + len(Paths) :]:
        What, Number, *Found = Line.split()
        if What == "FT":
            Features[Paths[int(Number)]] = set(Found)
    return Features


def minimise(Target):
    """Edges count, and not how often they are taken: a corpus is for tests, which mutate
    it again; a run that is to go on has its own in build-fuzz/."""
    Old, Kept = corpusOf(Target), folder(Target, "kept")
    Control = os.path.join(folder(Target, ""), "merge")
    if os.path.exists(Control):
        os.remove(Control)
    shutil.rmtree(Kept)  # what of it is in the corpus is there
    subprocess.run(
        command(
            Target,
            "-merge=1",
            "-merge_control_file=" + Control,
            "-use_counters=0",
            folder(Target, "kept"),
            Old,
            folder(Target, "new"),
        ),
        cwd=folder(Target, "empty"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    Features = featuresOf(Control)
    Named = [Path for Path in Features if not re.fullmatch("[0-9a-f]{40}", os.path.basename(Path))]
    Chosen = [Path for Path in Named if os.path.dirname(Path) == Old]
    Covered = set().union(*(Features[Path] for Path in Chosen))
    Bytes = 0
    while len(Chosen) < MOST_INPUTS:
        # The most for its length; of equal ones, always the same.
        Gains = {
            Path: (len(Found - Covered) / (64 + os.path.getsize(Path)), Path)
            for Path, Found in Features.items()
            if Found - Covered and Bytes + os.path.getsize(Path) <= MOST_CORPUS_BYTES
        }
        if not Gains:
            break
        Best = max(Gains, key=Gains.get)
        Chosen.append(Best)
        Covered |= Features[Best]
        Bytes += os.path.getsize(Best)
    Texts = {}
    for Path in Chosen:
        with open(Path, "rb") as File:
            Text = File.read()
        IsNamed = Path in Named and os.path.dirname(Path) == Old
        Texts[os.path.basename(Path) if IsNamed else hashlib.sha1(Text).hexdigest()] = Text
    shutil.rmtree(Old)
    for Name, Text in Texts.items():
        with open(os.path.join(corpusOf(Target), Name), "wb") as File:
            File.write(Text)
    print(
        "%s: %d inputs, %d bytes, %d of %d edges"
        % (Target, len(Texts), sum(map(len, Texts.values())), len(Covered), len(set().union(*Features.values()))),
        flush=True,
    )


def main():
    Parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    Parser.add_argument("--seconds", type=int, default=600)
    Parser.add_argument("--jobs", type=int, default=2)
    Parser.add_argument("--minimise", action="store_true")
    Parser.add_argument("targets", nargs="*", metavar="TARGET")
    Options = Parser.parse_args()
    Known = sorted(os.listdir(CORPUS))
    for Target in Options.targets:
        if Target not in Known:
            sys.exit("no such target: %s, the targets are %s" % (Target, ", ".join(Known)))
    Targets = Options.targets or Known
    if Options.minimise:
        for Target in Targets:
            minimise(Target)
        return 0
    print("| target | runs | a second | edges | features | inputs | kB | memory, MB | found |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---|", flush=True)
    HasFound = False
    with concurrent.futures.ThreadPoolExecutor(Options.jobs) as Pool:
        for Row, Code in Pool.map(lambda Target: run(Target, Options.seconds), Targets):
            print("| " + " | ".join(str(Cell) for Cell in Row) + " |", flush=True)
            HasFound = HasFound or Code != 0
    return 1 if HasFound else 0


if __name__ == "__main__":
    sys.exit(main())
