"""What each kind of notification is worth to the observer: a compile is compared
with the callback's trace of the same compile once for each that is left out."""

import os
import re
import statistics

import run

HOOK = os.path.join(run.ROOT, "plugin", "hooks", "InstantiationHook.h")


def notices():
    """enum Notice's names, in the order of their bits."""
    with open(HOOK, encoding="utf-8") as File:
        Body = re.search(r"enum class Notice[^{]*{(.*?)};", File.read(), re.S).group(1)
    return re.findall(r"^\s*(\w+),", Body, re.M)


def variants():
    """(what is left out, mask of what is used). File is always used."""
    Names = notices()
    All = (1 << len(Names)) - 1
    yield "nothing", All
    for Bit, Name in enumerate(Names):
        if Name != "File":
            yield Name, All & ~(1 << Bit)


def measure(compare, Units, Rounds):
    """compare(Unit, Mask) gives what instantrace-bench-hooks prints."""
    Found = {}
    for Unit in Units:
        for _ in range(Rounds):
            for Name, Mask in variants():
                Found.setdefault((Unit.name, Name), []).append(compare(Unit, Mask))
            run.note("%s without each notice: done" % Unit.name)
    return Found


def lines(Major, Units, Found):
    yield "### Clang %d: the observer without one kind of notification" % Major
    yield ""
    yield "Difference of inclusive times, %; intervals; specializations seen, %."
    yield ""
    yield "| left out |" + "".join(" %s |" % U.name for U in Units)
    yield "|---|" + "---:|" * len(Units)
    for Name, _ in variants():
        Row = []
        for U in Units:
            Rounds = Found[U.name, Name]
            Row.append(
                "%.2f; %s; %.1f"
                % (
                    100 * statistics.median(R["inclusive"]["difference"] for R in Rounds),
                    format(Rounds[-1]["observer"]["intervals"], ","),
                    100 * Rounds[-1]["specializations"]["share"],
                )
            )
        yield "| %s | %s |" % (Name, " | ".join(Row))
    yield ""
