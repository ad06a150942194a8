#!/usr/bin/env python3
"""Installs the packages in a folder below another one, uses and removes them.

usage: install-packages.py PACKAGES ROOT MAJOR CLANG SOURCE

dpkg compares dependencies with what this machine has installed, of which ROOT
gets a copy; nothing outside ROOT is written.
"""

import glob
import os
import re
import shutil
import subprocess
import sys

PACKAGES, ROOT, MAJOR, CLANG, SOURCE = sys.argv[1:]
os.makedirs(os.path.join(ROOT, "var/lib/dpkg/info"))
os.makedirs(os.path.join(ROOT, "var/lib/dpkg/updates"))
shutil.copy("/var/lib/dpkg/status", os.path.join(ROOT, "var/lib/dpkg/status"))
# That they are installed is enough; it says nothing of their files.
ENVIRONMENT = dict(os.environ, LC_ALL="C.UTF-8", PATH=os.environ["PATH"] + ":/usr/sbin:/sbin")


def dpkg(*Words):
    Command = ["dpkg", "--root=" + ROOT, "--force-not-root", "--log=" + ROOT + "/log", *Words]
    return subprocess.run(Command, capture_output=True, text=True, env=ENVIRONMENT)


def install(*Names):
    """Without the scripts that CPack adds, which run ldconfig in a chroot."""
    check(dpkg("--unpack", *map(package, Names)))
    for Script in glob.glob(ROOT + "/var/lib/dpkg/info/instantrace*.post*"):
        if "ldconfig" not in open(Script).read():
            raise SystemExit("%s: something else than ldconfig" % Script)
        os.remove(Script)
    return dpkg("--configure", *Names)


def check(Done):
    if Done.returncode != 0:
        raise SystemExit("%s: %s%s" % (Done.args, Done.stdout, Done.stderr))
    return Done


def package(Name):
    (Found,) = glob.glob("%s/%s_*.deb" % (PACKAGES, Name))
    return Found


Module = "instantrace-clang-" + MAJOR
for Name in "instantrace", Module:
    Depends = check(subprocess.run(["dpkg-deb", "-f", package(Name), "Depends"], capture_output=True, text=True)).stdout
    print("%s needs %s" % (Name, " ".join(sorted(re.findall(r"(?:^|, )([a-z0-9+.-]+)", Depends)))))

Alone = install(Module)
print("the module alone: %s" % ("dependency problems" if "dependency problems" in Alone.stderr and Alone.returncode else "installed"))
check(dpkg("--purge", Module))
check(install("instantrace", Module))
for Folder, _, Files in sorted(os.walk(os.path.join(ROOT, "usr"))):
    for File in sorted(Files):
        print(os.path.relpath(os.path.join(Folder, File), os.path.join(ROOT, "usr")))

Tool = os.path.join(ROOT, "usr/bin/instantrace")
os.chdir(os.path.dirname(SOURCE))
Run = check(subprocess.run([Tool, "run", "-o", "traces", "--", CLANG, "-c", SOURCE], capture_output=True, text=True))
print(Run.stderr)
print(check(subprocess.run([Tool, "doctor", "--no-search", CLANG], capture_output=True, text=True)).stdout)

check(dpkg("--purge", Module, "instantrace"))
Left = [
    os.path.join(Folder, File)
    for Folder, Folders, Files in os.walk(ROOT)
    for File in Files + Folders
    if "instantrace" in File
]
print("left behind: %s" % (" ".join(Left) or "nothing"))
