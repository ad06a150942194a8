#!/usr/bin/env python3
"""Finds mistakes in a Dockerfile and a devcontainer.json, without any container.

usage: container-files.py ROOT DOCKERFILE DEVCONTAINER

ROOT is the context that COPY copies from. Commands are parsed by the shell, and by
shellcheck where there is one; what they start of ROOT has to be there.
"""

import json
import os
import re
import shutil
import subprocess
import sys

ROOT, DOCKERFILE, DEVCONTAINER = sys.argv[1:]
INSTRUCTIONS = {"ARG", "COPY", "FROM", "RUN", "WORKDIR"}  # what ours are made of
KEYS = {"name", "image", "onCreateCommand", "postCreateCommand", "customizations"}
Faults = 0


def fault(Name, Text):
    global Faults
    Faults += 1
    print("%s: %s" % (os.path.basename(Name), Text))


def command(Name, Text, Variables):
    Checks = [["sh", "-n"]]
    if shutil.which("shellcheck"):
        Checks.append(["shellcheck", "--shell=sh", "-"])
    for Check in Checks:
        Done = subprocess.run(Check, input=Text + "\n", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if Done.returncode != 0:
            fault(Name, "%s: %s" % (Text, Done.stdout))
            return
    for Variable in sorted(set(re.findall(r"\$\{?(\w+)", Text)) - Variables):
        fault(Name, "no ARG of this stage is %s" % Variable)
    for Program in re.findall(r"(?:^|&& *)([\w.-]+/[\w./-]+)", Text):
        if not os.access(os.path.join(ROOT, Program), os.X_OK):
            fault(Name, "no program is %s" % Program)


def dockerfile(Name):
    with open(Name, encoding="utf-8") as File:
        Text = re.sub(r"^#.*\n", "", File.read(), flags=re.M).replace("\\\n", " ")
    Stages, Variables = set(), set()
    for Line in filter(str.strip, Text.splitlines()):
        Instruction, _, Rest = Line.partition(" ")
        Options = re.match(r"(?:--\w+=\S+\s+)*", Rest).group()
        Rest = Rest[len(Options) :].strip()
        Source = re.search(r"\bfrom=([\w-]+)", Options)
        if Instruction not in INSTRUCTIONS:
            fault(Name, "%s is not one of %s" % (Instruction, " ".join(sorted(INSTRUCTIONS))))
        if Options and (not Source or Source.group(1) not in Stages):
            fault(Name, "no stage before is named in %s" % Line)
        if Instruction == "FROM":
            Stages.update(re.findall(r" AS (\S+)$", Rest))
            Variables = set()
        elif Instruction == "ARG":
            Variables.add(Rest.partition("=")[0])
        elif Instruction == "COPY" and not Options:
            for Path in Rest.split()[:-1]:
                if not os.path.exists(os.path.join(ROOT, Path)):
                    fault(Name, "COPY: there is no %s" % Path)
        elif Instruction == "RUN":
            command(Name, Rest, Variables)


def devcontainer(Name):
    with open(Name, encoding="utf-8") as File:
        Text = re.sub(r"^\s*//.*$", "", File.read(), flags=re.M)
    try:
        Whole = json.loads(Text)
    except json.JSONDecodeError as Error:
        fault(Name, str(Error))
        return
    for Key in sorted(set(Whole) ^ KEYS):
        fault(Name, "%s is unknown, or missing" % Key)
    for Key, Value in Whole.items():
        if Key.endswith("Command"):
            command(Name, Value, set())


dockerfile(DOCKERFILE)
devcontainer(DEVCONTAINER)
print("%d faults" % Faults)
