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

# So many entities wait for their names at most (Recorder::LargestBatch, and a few
# until naming begins), and have short ones.
NAMING_BATCH = 2048
# SIGKILL may come while a short name is noted.
UNNAMED_AT_MOST = 1
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

    def is_same(self, Found, Expected, Whole):
        """Whether a line differs in short names alone. Whole: the names that each
        short one may stand for."""
        if Found == Expected:
            return True
        # A name is between two spaces, and what precedes it is the same.
        Common = len(os.path.commonprefix([Found, Expected]))
        Begins = [0] + [At.end() for At in re.finditer(" ", Found) if At.end() <= Common]
        Ends = [At.start() for At in re.finditer(" ", Found)] + [len(Found)]
        for Begin in Begins:
            for End in Ends:
                Names = Whole.get(Found[Begin:End], ()) if Begin < End else ()
                Rest = len(Expected) - (len(Found) - End)
                if Names and Expected[Rest:] == Found[End:] and Expected[Begin:Rest] in Names:
                    return True
        return False

    def check_prefix(self, Path, UnnamedAtMost=UNNAMED_AT_MOST):
        """Of the trace at Path: (events, entities without a name, those with a short
        one, locations)."""
        Lines = event_lines(Path)
        check(
            len(Lines) <= len(self.Lines),
            "%s has %d events, the undisturbed run %d"
            % (Path, len(Lines), len(self.Lines)),
        )
        Recovered = Tables(Path)
        Whole = {}
        for Id, Text in Recovered.short_names():
            Whole.setdefault(Text, set()).add(self.Tables.entity(Id))
        for Id, Text in Recovered.early_names():
            # A template's parameter is outside of every scope until the template is
            # made, so Clang's name depends on when it was asked.
            Later = self.Tables.entity(Id)
            if Text.endswith("::" + Later) or Later.endswith("::" + Text):
                Whole.setdefault(Text, set()).add(Later)
        Entities, Places = set(), set()
        for At, (Found, Expected) in enumerate(zip(Lines, self.Lines)):
            if Found == Expected:
                continue
            Entities.update(map(int, re.findall(r"<entity (\d+)>", Found)))
            Places.update(map(int, re.findall(r"<location (\d+)>", Found)))
            if "<location " in Found:
                Expected = DETAIL.sub("", Expected)
            Parts = self.resolved(Found).split(" requested by ")
            ExpectedParts = Expected.split(" requested by ")
            check(
                len(Parts) == len(ExpectedParts)
                and all(self.is_same(F, E, Whole) for F, E in zip(Parts, ExpectedParts)),
                "%s is no prefix: event %d\n  found    %s\n  expected %s"
                % (Path, At, Found, Expected),
            )
        # Ids count entities in the order in which they were met.
        Named = Recovered.FirstShortName - 1 if Recovered.FirstShortName else len(Recovered.EntityNames) - 1
        check(
            all(Id > Named for Id in Entities),
            "%s: not the newest entities are without a name: %d have names, "
            "and these have none: %s" % (Path, Named, sorted(Entities)[:20]),
        )
        check(
            len(Entities) <= UnnamedAtMost,
            "%s: %d entities without a name, expected at most %d"
            % (Path, len(Entities), UnnamedAtMost),
        )
        Short = len(Recovered.short_names())
        check(
            Short <= NAMING_BATCH,
            "%s: %d entities with a short name, expected at most %d" % (Path, Short, NAMING_BATCH),
        )
        return len(Lines), len(Entities), Short, len(Places)


def recover_and_check(Reference, Folder, UnnamedAtMost=UNNAMED_AT_MOST):
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
    Events, Unnamed, Short, Unplaced = Reference.check_prefix(Output, UnnamedAtMost)
    Counted = [Report[Key] for Key in ("events", "unnamed_entities", "short_names")]
    check(
        Counted == [Events, Unnamed, Short],
        "recover counts %s events, unnamed entities and short names, its trace has %s"
        % (Counted, [Events, Unnamed, Short]),
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
