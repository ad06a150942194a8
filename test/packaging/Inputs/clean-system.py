#!/usr/bin/env python3
"""Installs the packages in a system that has nothing else, uses and removes them.

usage: unshare --mount clean-system.py PACKAGES ROOT ARCHIVES SOURCE CHECK...

ROOT is made anew: the essential packages of the Debian that apt on this machine
is set up for, and then, by one command of apt, `instantrace` and each module that
there is a package of, with what they depend on. Each Clang compiles SOURCE with
them, and the command CHECK is run, in which {root} is ROOT. ARCHIVES keeps what is
downloaded. Nothing of this machine is in ROOT, and what is mounted there is so in
this namespace alone: remove it when that is gone. Needs root.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import time

PACKAGES, ROOT, ARCHIVES, SOURCE, *CHECK = sys.argv[1:]
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/", "DEBIAN_FRONTEND": "noninteractive"}
NAMES = sorted(os.path.basename(File).partition("_")[0] for File in glob.glob(PACKAGES + "/instantrace*.deb"))
MAJORS = sorted(int(Name.rpartition("-")[2]) for Name in NAMES if Name != "instantrace")
STATUS = os.path.join(ROOT, "var/lib/dpkg/status")


def run(*Command, **More):
    Done = subprocess.run(Command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=ENVIRONMENT, **More)
    if Done.returncode != 0:
        raise SystemExit("%s: exit code %d\n%s" % (" ".join(Command), Done.returncode, Done.stdout[-4000:]))
    return Done.stdout


def inside(*Command):
    return run("chroot", ROOT, *Command)


def apt(*Words):
    # What this machine does after dpkg is not for the other system.
    return run("apt-get", "-c=" + ROOT + ".conf", "-q", "-y", "--no-install-recommends", "-o", "Dir::State::status=" + STATUS,
               "-o", "Dir::Cache::archives=" + ROOT + "/var/cache/apt/archives", "-o", "APT::Sandbox::User=root",
               "-o", "APT::Keep-Downloaded-Packages=true", "-o", "DPkg::Chroot-Directory=" + ROOT,
               "-o", "DPkg::Options::=--force-unsafe-io", *Words)


def files():
    return {os.path.relpath(os.path.join(Folder, File), ROOT) for Folder, _, Files in os.walk(ROOT + "/usr") for File in Files}


def makeRoot():
    for Folder in ("var/lib/dpkg/info", "var/lib/dpkg/updates", "var/cache/apt", "dev", "proc", "tmp", "etc"):
        os.makedirs(os.path.join(ROOT, Folder))
    for Folder in ("bin", "sbin", "lib", "lib64"):
        os.makedirs(os.path.join(ROOT, "usr", Folder))
        os.symlink("usr/" + Folder, os.path.join(ROOT, Folder))
    open(STATUS, "w").close()
    with open(ROOT + ".conf", "w") as File:
        File.write("#clear DPkg::Post-Invoke;\n#clear DPkg::Pre-Invoke;\n#clear DPkg::Pre-Install-Pkgs;\n#clear APT::Update::Post-Invoke;\n")
    os.makedirs(os.path.join(ARCHIVES, "partial"), exist_ok=True)
    os.mkdir(ROOT + "/var/cache/apt/archives")
    run("mount", "--bind", ARCHIVES, ROOT + "/var/cache/apt/archives")
    apt("--download-only", "install", "?essential")
    # Inst bash (5.2.15-2+b7 Debian:12.11/oldstable [amd64])
    Listed = re.findall(r"^Inst ([^ :]+)\S* \((\S+) .*\[(\w+)\]\)", apt("-s", "install", "?essential"), re.M)
    Files = ["%s_%s_%s.deb" % (Name, Version.replace(":", "%3a"), For) for Name, Version, For in Listed]
    assert len(Files) > 20, Files
    for File in Files:
        Bytes = subprocess.run(["dpkg-deb", "--fsys-tarfile", os.path.join(ARCHIVES, File)], stdout=subprocess.PIPE, check=True).stdout
        subprocess.run(["tar", "-x", "-C", ROOT, "--keep-directory-symlink"], input=Bytes, check=True)
    run("mount", "-t", "proc", "proc", ROOT + "/proc")
    for Device in ("null", "zero", "urandom"):
        open(ROOT + "/dev/" + Device, "w").close()
        run("mount", "--bind", "/dev/" + Device, ROOT + "/dev/" + Device)
    inside("dpkg", "--force-depends", "--force-unsafe-io", "--install", *("/var/cache/apt/archives/" + F for F in Files))


def timed(What, Does, *Arguments):
    Begin = time.monotonic()
    Result = Does(*Arguments)
    print("%s: %.0f s" % (What, time.monotonic() - Begin), file=sys.stderr)
    return Result


def main():
    shutil.rmtree(ROOT, ignore_errors=True)
    timed("the system", makeRoot)
    Local = [shutil.copy(glob.glob("%s/%s_*.deb" % (PACKAGES, Name))[0], ROOT + "/tmp/") for Name in NAMES]
    timed("what they need", apt, "--download-only", "install", *Local)
    timed("apt install", apt, "install", *Local)
    Before = files()
    shutil.copy(SOURCE, os.path.join(ROOT, "tmp", "box.cpp"))
    print(inside("instantrace", "doctor"))
    for Major in MAJORS:
        print("Clang %d:" % Major)
        Run = "cd /tmp && instantrace run -o traces-{0} -- clang++-{0} -c box.cpp -o box.o && instantrace verify traces-{0}"
        print(inside("sh", "-c", Run.format(Major)))
    print(run(*(Word.replace("{root}", ROOT) for Word in CHECK)))
    Changed = {File for File in files() ^ Before if not File.startswith("usr/local/")}
    print("changed by use: %s" % (" ".join(sorted(Changed)) or "nothing"))
    print("verified: %s" % (inside("dpkg", "--verify", *NAMES) or "as installed"))
    inside("dpkg", "--purge", *NAMES)
    Known = inside("sh", "-c", "grep -l instantrace -r /var/lib/dpkg/info /etc /var/lib/systemd 2>/dev/null || true").split()
    Left = sorted(F for F in files() if "instantrace" in F.lower()) + Known
    print("left behind: %s" % (" ".join(Left) or "nothing"))


main()
