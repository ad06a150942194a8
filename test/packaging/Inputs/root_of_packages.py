"""Debian packages that are installed below a folder, for tests and documents.

dpkg compares dependencies with what this machine has installed, or for another
architecture with what DPKG_ADMINDIR says, of which the folder gets a copy; nothing
outside of it is written.
"""

import glob
import os
import shutil
import subprocess

# That they are installed is enough; it says nothing of their files.
ENVIRONMENT = dict(os.environ, LC_ALL="C.UTF-8", PATH=os.environ["PATH"] + ":/usr/sbin:/sbin")


def check(Done):
    if Done.returncode != 0:
        raise SystemExit("%s: %s%s" % (Done.args, Done.stdout, Done.stderr))
    return Done


class PackageRoot:
    """PACKAGES is where the .deb files are."""

    def __init__(self, Packages, Root):
        self.packages, self.root = Packages, Root
        os.makedirs(os.path.join(Root, "var/lib/dpkg/info"))
        os.makedirs(os.path.join(Root, "var/lib/dpkg/updates"))
        shutil.copy(os.environ.get("DPKG_ADMINDIR", "/var/lib/dpkg") + "/status", os.path.join(Root, "var/lib/dpkg/status"))
        For = check(subprocess.run(["dpkg-deb", "-f", self.package("instantrace"), "Architecture"], capture_output=True, text=True)).stdout
        check(self.dpkg("--add-architecture", For.strip()))

    def binaries(self):
        return os.path.join(self.root, "usr/bin")

    def package(self, Name):
        (Found,) = glob.glob("%s/%s_*.deb" % (self.packages, Name))
        return Found

    def dpkg(self, *Words):
        Command = ["dpkg", "--root=" + self.root, "--force-not-root", "--log=" + self.root + "/log", *Words]
        return subprocess.run(Command, capture_output=True, text=True, env=ENVIRONMENT)

    def query(self, Format, Name):
        Command = ["dpkg-query", "--admindir=" + self.root + "/var/lib/dpkg", "-W", "-f", Format, Name]
        return subprocess.run(Command, capture_output=True, text=True)

    def unpack(self, *Names):
        """Without the scripts that CPack adds, which run ldconfig in a chroot."""
        Done = self.dpkg("--unpack", *map(self.package, Names))
        for Script in glob.glob(self.root + "/var/lib/dpkg/info/instantrace*.post*"):
            if "ldconfig" not in open(Script).read():
                raise SystemExit("%s: something else than ldconfig" % Script)
            os.remove(Script)
        return Done

    def install(self, *Names):
        check(self.unpack(*Names))
        return self.dpkg("--configure", *Names)
