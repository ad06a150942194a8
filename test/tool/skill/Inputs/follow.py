"""Follows a skill for agents to the letter: runs what its console blocks say, in order.

usage: follow.py SKILL.md BIN

Works in the current folder, with BIN in front of PATH. Each `$ COMMAND` has to exit with 0, and to print the lines
below it: numbers may be others, blanks more or fewer, `…` is any text, and a line of it
any lines.
"""

import os
import re
import subprocess
import sys

import yaml

os.environ["PATH"] = os.path.abspath(sys.argv[2]) + os.pathsep + os.environ["PATH"]
Text = open(sys.argv[1], encoding="utf-8").read()
_, Head, Body = Text.split("---\n", 2)
Head = yaml.safe_load(Head)
assert set(Head) == {"name", "description"}, Head
assert re.fullmatch(r"[a-z0-9-]{1,64}", Head["name"]) and 0 < len(Head["description"]) <= 1024, Head


def pattern(Line):
    Parts = []
    for Part in re.findall(r"…|\s+|\d[\d,.]*(?: (?:ns|µs|ms|s|B|kB|MB|GB)\b)?|.", Line.strip()):
        Parts.append(r".*" if Part == "…" else r"\s+" if Part.isspace() else
                     r"\d[\d,.]*(?: (?:ns|µs|ms|s|B|kB|MB|GB))?" if Part[0].isdigit() else re.escape(Part))
    return r"\s*" + "".join(Parts) + r"\s*\n"


def expected(Lines):
    return "".join("(?:.*\n)*?" if Line.strip() == "…" else pattern(Line) for Line in Lines)


Count = 0
for Block in re.findall(r"^```console\n(.*?)^```$", Body, re.M | re.S):
    for Command, Lines in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", Block, re.M):
        Done = subprocess.run(["bash", "-c", Command], capture_output=True, text=True)
        if Done.returncode != 0 or not re.fullmatch(expected(Lines.splitlines()), Done.stdout):
            sys.exit("FAILED: %s\nexit code %d, printed\n%s%sand not\n%s" % (Command, Done.returncode, Done.stdout, Done.stderr, Lines))
        Count += 1
assert Count == len(re.findall(r"^\$ ", Body, re.M)) != 0, "a command is in no block"
print("%d commands" % Count)
