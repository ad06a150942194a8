#!/usr/bin/env python3
"""Installs the packages in a folder below another one, uses and removes them.

usage: install-packages.py PACKAGES ROOT MAJOR CLANG SOURCE
"""

import os
import re
import subprocess
import sys

from root_of_packages import PackageRoot, check

PACKAGES, ROOT, MAJOR, CLANG, SOURCE = sys.argv[1:]
Root = PackageRoot(PACKAGES, ROOT)

Module = "instantrace-clang-" + MAJOR
for Name in "instantrace", Module:
    Depends = check(subprocess.run(["dpkg-deb", "-f", Root.package(Name), "Depends"], capture_output=True, text=True)).stdout
    print("%s needs %s" % (Name, " ".join(sorted(re.findall(r"(?:^|, )([a-z0-9+.-]+)", Depends)))))

Alone = Root.install(Module)
print("the module alone: %s" % ("dependency problems" if "dependency problems" in Alone.stderr and Alone.returncode else "installed"))
check(Root.dpkg("--purge", Module))
check(Root.install("instantrace", Module))
for Folder, _, Files in sorted(os.walk(os.path.join(ROOT, "usr"))):
    for File in sorted(Files):
        print(os.path.relpath(os.path.join(Folder, File), os.path.join(ROOT, "usr")))

Tool = os.path.join(Root.binaries(), "instantrace")
os.chdir(os.path.dirname(SOURCE))
Run = check(subprocess.run([Tool, "run", "-o", "traces", "--", CLANG, "-c", SOURCE], capture_output=True, text=True))
print(Run.stderr)
print(check(subprocess.run([Tool, "doctor", "--no-search", CLANG], capture_output=True, text=True)).stdout)

check(Root.dpkg("--purge", Module, "instantrace"))
Left = [
    os.path.join(Folder, File)
    for Folder, Folders, Files in os.walk(ROOT)
    for File in Files + Folders
    if "instantrace" in File
]
print("left behind: %s" % (" ".join(Left) or "nothing"))
