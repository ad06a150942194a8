"""A compile that is cut short, what it leaves, and whether that is the begin of
the undisturbed compile. Shared by the scripts of this folder and
utils/bench/killed.py.
"""

import json
import os
import re
import shutil
import subprocess
import sys

from tables import Tables

# So many entities wait for their names at most (Recorder::NamingBatch), and
# nobody else knows these names.
NAMING_BATCH = 256
HANG_SECONDS = 600  # only what never ends takes so long, whatever else runs
LINE = (
    "instantrace: the compile was cut short; for its profile until then: "
    "instantrace recover "
)


class Fault(Exception):
    pass


def check(Condition, Message):
    if not Condition:
        raise Fault(Message)


def tool(*Command, Codes=(0,)):
    Result = subprocess.run(
        ("instantrace",) + Command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=HANG_SECONDS,
    )
    Out = Result.stdout.decode(errors="replace")
    Err = Result.stderr.decode(errors="replace")
    check(
        Result.returncode in Codes,
        "instantrace %s: exit %d, expected %s\n%s%s"
        % (" ".join(Command), Result.returncode, Codes, Out[-2000:], Err[-2000:]),
    )
    return Out if Result.returncode == 0 else Err


def source_options(Source):
    """What the first line of a corpus file asks for."""
    with open(Source) as File:
        First = File.readline()
    Standard = re.search(r"std: (\S+)", First)
    Include = re.search(r"inc: (\S+)", First)
    return (["-std=" + Standard.group(1)] if Standard else []) + (
        ["-I" + Include.group(1)] if Include else []
    )


def fresh(Folder):
    shutil.rmtree(Folder, ignore_errors=True)
    os.makedirs(Folder)
    return Folder


def hidden(Folder):
    """Names of buffers and partial traces, and of whatever else is hidden."""
    return sorted(Name for Name in os.listdir(Folder) if Name.startswith("."))


def recover(Leftover, Output, *More):
    """One leftover; what `recover --json` says of it."""
    Report = json.loads(tool("recover", "--json", "-o", Output, *More, Leftover))
    if Report["outcome"] == "recovered":
        check(not Report["problems"], "recover: problems %s" % Report["problems"])
    return Report


def event_lines(Path):
    """One line per event, with what a later interruption may add cut off."""
    Lines = []
    # As Tables has the names: with default arguments.
    for Line in tool("dump", "--default-args", Path).splitlines():
        if Line.startswith("count "):
            break
        Lines.append(Line.removesuffix(" (never ended)"))
    return Lines


# What a place has beyond file, line and column.
DETAIL = re.compile(r" \((?:macro|spelled at|read from) [^()]*\)(?= requested by |$)")


class Undisturbed:
    """The events of a compile that nobody cut short."""

    def __init__(self, Path):
        Verdict = tool("verify", Path)
        check("incomplete" not in Verdict, "undisturbed, but: " + Verdict)
        self.Lines = event_lines(Path)
        self.Tables = Tables(Path)

    def resolved(self, Line):
        """The line with our names in place of ids that stand for them."""
        Begin, By, Requester = Line.partition(" requested by ")
        Names = lambda Found: self.Tables.entity(int(Found.group(1)))
        Places = lambda Found: self.Tables.location(int(Found.group(1)), True)
        Lines = lambda Found: self.Tables.location(int(Found.group(1)), False)
        try:
            Begin = re.sub(r"<location (\d+)>", Places, Begin)
            Requester = re.sub(r"<location (\d+)>", Lines, Requester)
            return re.sub(r"<entity (\d+)>", Names, Begin + By + Requester)
        except IndexError:
            return Line

    def check_prefix(self, Path, UnnamedAtMost=NAMING_BATCH):
        """Of the trace at Path: (events, entities without a name, locations)."""
        Lines = event_lines(Path)
        check(
            len(Lines) <= len(self.Lines),
            "%s has %d events, the undisturbed run %d"
            % (Path, len(Lines), len(self.Lines)),
        )
        Entities, Places = set(), set()
        for At, (Found, Expected) in enumerate(zip(Lines, self.Lines)):
            if Found == Expected:
                continue
            Entities.update(map(int, re.findall(r"<entity (\d+)>", Found)))
            Places.update(map(int, re.findall(r"<location (\d+)>", Found)))
            if "<location " in Found:
                Expected = DETAIL.sub("", Expected)
            check(
                self.resolved(Found) == Expected,
                "%s is no prefix: event %d\n  found    %s\n  expected %s"
                % (Path, At, Found, Expected),
            )
        # Ids count entities in the order in which they were met, so those
        # beyond the table are the newest.
        Named = len(Tables(Path).EntityNames) - 1
        check(
            Entities == set(range(Named + 1, Named + 1 + len(Entities))),
            "%s: not the newest entities are without a name: %d have names, "
            "and these have none: %s" % (Path, Named, sorted(Entities)[:20]),
        )
        check(
            len(Entities) <= UnnamedAtMost,
            "%s: %d entities without a name, expected at most %d"
            % (Path, len(Entities), UnnamedAtMost),
        )
        return len(Lines), len(Entities), len(Places)


def recover_and_check(Reference, Folder, UnnamedAtMost=NAMING_BATCH):
    """Recovers the one buffer in Folder. Its report, with the checked counts."""
    Buffers = [Name for Name in hidden(Folder) if Name.endswith(".buffer")]
    check(len(Buffers) == 1, "%s: found %s" % (Folder, sorted(os.listdir(Folder))))
    Output = os.path.join(Folder, "recovered.itrace")
    Report = recover(os.path.join(Folder, Buffers[0]), Output)
    check(Report["outcome"] == "recovered", "recover: %s" % Report)
    Verdict = tool("verify", Output)
    check(
        Report["complete"] or "incomplete: interrupted" in Verdict,
        "verify says nothing of the interruption: " + Verdict,
    )
    Events, Unnamed, Unplaced = Reference.check_prefix(Output, UnnamedAtMost)
    check(
        Report["events"] == Events and Report["unnamed_entities"] == Unnamed,
        "recover counts %d events and %d unnamed entities, its trace has %d and %d"
        % (Report["events"], Report["unnamed_entities"], Events, Unnamed),
    )
    Report["unplaced"] = Unplaced
    Report["leftover_bytes"] = sum(
        os.path.getsize(os.path.join(Folder, Name)) for Name in hidden(Folder)
    )
    return Report


def main(Run):
    """Runs a script's work; a fault is its message and exit code 1."""
    try:
        Run()
    except Fault as Reason:
        sys.exit("FAULT: %s" % Reason)
