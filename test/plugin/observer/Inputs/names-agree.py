"""Compiles a file with each hook and compares what they name.

usage: names-agree.py CLANG PLUGIN SCRATCH SOURCE

The observer may miss what the callback hears of, though of definitions of class
and function templates it is to miss at most one in a hundred; it may not name
an instantiation that the callback has not heard of.
"""

import json
import subprocess
import sys

Clang, Plugin, Scratch, Source = sys.argv[1:]


def instantiations(Hook):
    """({names}, {names of those with their definition}), with one hook."""
    Trace = "%s.%s" % (Scratch, Hook)
    Options = ["hook=" + Hook, "output=" + Trace]
    subprocess.run(
        [Clang, "-std=c++17", "-fplugin=" + Plugin, "-fsyntax-only", Source]
        + ["-fplugin-arg-instantrace-" + O for O in Options],
        check=True,
    )
    Dump = subprocess.run(
        ["instantrace", "dump", "--format=json", "--kind", "TemplateInstantiation"]
        + [Trace],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    Names, Defined = set(), set()
    for Line in Dump.splitlines():
        Event = json.loads(Line)
        if Event.get("event") == "end":
            Names.add(Event["name"])
            if Event.get("definition"):
                Defined.add(Event["name"])
    return Names, Defined


Callback, CallbackDefined = instantiations("callback")
Observer, ObserverDefined = instantiations("observer")
print(
    "callback: %d names, %d defined; observer: %d and %d, %d of these not the callback's"
    % (
        len(Callback),
        len(CallbackDefined),
        len(Observer),
        len(ObserverDefined),
        len(Observer - Callback),
    )
)
if not CallbackDefined:
    sys.exit("nothing to compare")
if Observer - Callback:
    sys.exit("the observer alone names %s" % sorted(Observer - Callback))
Missed = CallbackDefined - ObserverDefined
if len(Missed) * 100 > len(CallbackDefined):
    sys.exit("the observer misses %s" % sorted(Missed))
