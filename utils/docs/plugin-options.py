#!/usr/bin/env python3
"""Writes the table of plugin options into the documentation, or checks it.

usage: plugin-options.py [--check] ROOT

The options are those of plugin/Options.def below ROOT, which the plugin is built
from. The table stands in one Markdown document of ROOT or ROOT/docs, between

    <!-- begin: plugin options -->
    <!-- end: plugin options -->

--check changes nothing, and fails where the table is not what would be written.
"""

import argparse
import difflib
import os
import re
import sys

BEGIN = "<!-- begin: plugin options -->\n"
END = "<!-- end: plugin options -->\n"
TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')
# What stands in an entry's parentheses; strings may have some of their own.
ENTRY = re.compile(r'^OPTION_(\w+)\(((?:"(?:[^"\\]|\\.)*"|[^"();]|\([^()]*\))*)\)$', re.M)


def texts(Entry):
    """Its strings in order; what only space separates is one."""
    Joined = re.sub(r'"\s*\n\s*"', "", Entry)
    return [T.group(1).replace('\\"', '"') for T in TEXT.finditer(Joined)]


def option(Form, Entry):
    """Key (none: environment alone), variable, shape of a value, meaning."""
    T = texts(Entry)
    if Form == "SWITCH":
        Key, Variable, Meaning = T
        return Key, Variable, "on|off", Meaning
    if Form == "NUMBER":
        Key, Variable, _, Meaning = T
        return Key, Variable, "N", Meaning
    if Form == "TEXT":
        Key, Variable, Shape, _, Meaning = T
        return Key, Variable, Shape, Meaning
    if Form == "CHOICE":
        return T[0], T[1], "|".join(T[2:-1]), T[-1]
    if Form == "OTHER":
        return tuple(T)
    if Form == "OF_LOADER":
        return (None, *T)
    sys.exit("plugin/Options.def: OPTION_%s is of no known form" % Form)


def options(Root):
    with open(os.path.join(Root, "plugin/Options.def"), encoding="utf-8") as File:
        Source = re.sub(r"^(//|#).*\n", "", File.read(), flags=re.M)
    Found = [option(*E.groups()) for E in ENTRY.finditer(Source)]
    if len(Found) != Source.count("OPTION_") - Source.count("OPTION_VALUE"):
        sys.exit("plugin/Options.def: an entry is not understood")
    return Found


def table(Options):
    def code(Text):
        return "`%s`" % Text.replace("|", "\\|")

    Lines = ["| option | environment | meaning |", "|---|---|---|"]
    for Key, Variable, Shape, Meaning in Options:
        Option = code(Key + "=" + Shape) if Key else ""
        Name = Variable if Key else Variable + "=" + Shape
        Lines.append("| %s | %s | %s |" % (Option, code(Name), Meaning))
    return "".join(Line.replace("|  |", "| |") + "\n" for Line in Lines)


def documents(Root):
    Folders = [(Root, os.listdir(Root))]
    Folders += [(F, Names) for F, _, Names in os.walk(os.path.join(Root, "docs"))]
    for Folder, Names in Folders:
        for Name in sorted(Names):
            if Name.endswith(".md"):
                yield os.path.join(Folder, Name)


def main():
    Parser = argparse.ArgumentParser()
    Parser.add_argument("--check", action="store_true")
    Parser.add_argument("root")
    Arguments = Parser.parse_args()

    Options = options(Arguments.root)
    Places = []
    for Path in documents(Arguments.root):
        with open(Path, encoding="utf-8") as File:
            Text = File.read()
        if BEGIN in Text:
            Places.append((Path, Text))
    if len(Places) != 1:
        sys.exit("%d documents have the table of options, expected 1" % len(Places))
    Path, Text = Places[0]
    Before, _, Rest = Text.partition(BEGIN)
    Old, Marker, After = Rest.partition(END)
    if not Marker:
        sys.exit("%s: the table of options has no end" % Path)
    New = table(Options)
    if not Arguments.check:
        with open(Path, "w", encoding="utf-8") as File:
            File.write(Before + BEGIN + New + END + After)
    elif Old != New:
        Name = os.path.relpath(Path, Arguments.root)
        Lines = Old.splitlines(True), New.splitlines(True)
        sys.stdout.writelines(difflib.unified_diff(*Lines, Name, "Options.def", n=0))
        sys.exit("%s: the table of options is stale; `utils/dev docs` writes it" % Name)
    print("%d options" % len(Options))


if __name__ == "__main__":
    main()
