#!/usr/bin/env python3
"""Installs the packages in a folder below another one, uses, upgrades and removes them.

usage: install-packages.py PACKAGES NEXT ROOT MAJOR CLANG SOURCE

NEXT has the same packages of a later version.
"""

import os
import re
import subprocess
import sys

from root_of_packages import PackageRoot, check

PACKAGES, NEXT, ROOT, MAJOR, CLANG, SOURCE = sys.argv[1:]
Root = PackageRoot(PACKAGES, ROOT)

Module = "instantrace-clang-" + MAJOR
for Name in "instantrace", Module:
    Depends = check(subprocess.run(["dpkg-deb", "-f", Root.package(Name), "Depends"], capture_output=True, text=True)).stdout
    print("%s needs %s" % (Name, " ".join(sorted(re.findall(r"(?:^|, )([a-z0-9+.-]+)", Depends)))))

Alone = Root.install(Module)
print("the module alone: %s" % ("dependency problems" if "dependency problems" in Alone.stderr and Alone.returncode else "installed"))
check(Root.dpkg("--purge", Module))
check(Root.install("instantrace", Module))


def installed():
    Files = [os.path.join(Folder, File) for Folder, _, Names in os.walk(ROOT) for File in Names]
    return sorted(F for F in (os.path.relpath(F, ROOT) for F in Files) if F != "log" and not F.startswith("var/lib/dpkg/"))


Installed = installed()
print("\n".join(Installed))

Tool = os.path.join(Root.binaries(), "instantrace")
os.chdir(os.path.dirname(SOURCE))
Run = check(subprocess.run([Tool, "run", "-o", "traces", "--", CLANG, "-c", SOURCE], capture_output=True, text=True))
print(Run.stderr)
print(check(subprocess.run([Tool, "doctor", "--no-search", CLANG], capture_output=True, text=True)).stdout)

Root.packages = NEXT
# dpkg replaces one package after the other, and a build may run meanwhile.
for Step in ("instantrace",), (Module,), ("instantrace", Module):
    check(Root.unpack(*Step) if len(Step) == 1 else Root.dpkg("--configure", *Step))
    print("gone or new: %s" % (" ".join(sorted(set(Installed) ^ set(installed()))) or "nothing"))
    check(subprocess.run([Tool, "run", "-o", "traces-%d" % len(os.listdir(".")), "--", CLANG, "-c", SOURCE], capture_output=True, text=True))
for Name in "instantrace", Module:
    print("%s is now %s" % (Name, check(Root.query("${Version}, ${Status}", Name)).stdout))

check(Root.dpkg("--purge", Module, "instantrace"))
Left = installed() + [F for F in os.listdir(ROOT) if F not in ("log", "var")]
print("left behind: %s" % (" ".join(Left) or "nothing"))
