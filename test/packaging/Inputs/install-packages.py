#!/usr/bin/env python3
"""Installs packages in a folder below another one, uses, upgrades and removes them.

usage: install-packages.py CONFIG PACKAGES SCRATCH LLVM

PACKAGES has what cpack has made by CONFIG: the tool, and a module for each of some Clangs,
which are LLVM + MAJOR + /bin/clang++. Those of the next version are made here, in SCRATCH,
which is emptied. What has to be printed is in debian-packages.test.
"""

import glob
import os
import re
import shutil
import subprocess
import sys

from root_of_packages import PackageRoot, check

CONFIG, PACKAGES, SCRATCH, LLVM = map(os.path.abspath, sys.argv[1:])
shutil.rmtree(SCRATCH, ignore_errors=True)
os.makedirs(SCRATCH)
shutil.copy(os.path.join(os.path.dirname(__file__), "box.cpp"), SCRATCH)
os.chdir(SCRATCH)
Root = PackageRoot(PACKAGES, os.path.join(SCRATCH, "place"))
Tool = os.path.join(Root.binaries(), "instantrace")

Majors = sorted(int(re.search(r"-clang-(\d+)_", File)[1]) for File in glob.glob(PACKAGES + "/instantrace-clang-*.deb"))
Modules = ["instantrace-clang-%d" % Major for Major in Majors]
Names = ["instantrace", *Modules]
Clangs = ["%s%d/bin/clang++" % (LLVM, Major) for Major in Majors]


def run(*Command):
    return check(subprocess.run(Command, capture_output=True, text=True))


def profile(Clang):
    Traces = "traces-%d" % len(os.listdir("."))
    Text = run(Tool, "run", "-o", Traces, "--", Clang, "-c", "box.cpp").stderr
    run(Tool, "verify", Traces)
    return Text


def needs(Name):
    Depends = run("dpkg-deb", "-f", Root.package(Name), "Depends").stdout
    return "%s needs %s" % (Name, " ".join(sorted(re.findall(r"(?:^|, )([a-z0-9+.-]+)", Depends))))


def installed():
    Files = [os.path.join(Folder, File) for Folder, _, Names in os.walk(Root.root) for File in Names]
    return sorted(F for F in (os.path.relpath(F, Root.root) for F in Files) if F != "log" and not F.startswith("var/lib/dpkg/"))


print(needs("instantrace"))
# All modules need the same, each its Clang.
print("\n".join({needs(Name).replace("clang-%d " % Major, "clang-N ") for Major, Name in zip(Majors, Modules)}))

Alone = Root.install(*Modules)
Refused = [Name for Name in Modules if "dependency problems prevent configuration of %s:" % Name in Alone.stderr]
print("the module alone: %s" % ("dependency problems" if Refused == Modules and Alone.returncode else "installed"))
check(Root.dpkg("--purge", *Modules))
check(Root.install(*Names))
Installed = installed()
print("\n".join(Installed))
for Clang in Clangs:
    print(profile(Clang))
print(run(Tool, "doctor", "--no-search", *Clangs).stdout)

with open("next.cmake", "w", encoding="utf-8") as File:
    File.write('include("%s")\nset(CPACK_DEBIAN_PACKAGE_VERSION 99.1)\n' % CONFIG)
run("cpack", "--config", "next.cmake", "-G", "DEB", "-B", "next")
Root.packages = "next"
# dpkg replaces one package after the other, and a build may run meanwhile.
for Step in (Root.unpack, "instantrace"), (Root.unpack, *Modules), (Root.dpkg, "--configure", *Names):
    check(Step[0](*Step[1:]))
    print("gone or new: %s" % (" ".join(sorted(set(Installed) ^ set(installed()))) or "nothing"))
    profile(Clangs[-1])
print("each is now %s" % " and ".join({check(Root.query("${Version}, ${Status}", Name)).stdout for Name in Names}))

check(Root.dpkg("--purge", *reversed(Names)))
Left = installed() + [F for F in os.listdir(Root.root) if F not in ("log", "var")]
print("left behind: %s" % (" ".join(Left) or "nothing"))
