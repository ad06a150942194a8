"""Runs a compile with each module of each other Clang under this one's name.

usage: other-modules.py MODULE-FOLDER MAJOR COMMAND...

Each has to give exactly one warning line, which says that it does not load or is not for this Clang.
"""

import glob
import os
import re
import shutil
import subprocess
import sys

Folder, Major, *Command = sys.argv[1:]
for Module in glob.glob(Folder + "/instantrace-*clang-*.so"):
    Kind, Of = re.fullmatch(r"(.*-)(\d+)\.so", os.path.basename(Module)).groups()
    if Of == Major:
        continue
    for Name in "instantrace-clang-", "instantrace-entry-clang-":
        shutil.copyfile("%s/%s%s.so" % (Folder, Name, Major), "%s%s.so" % (Name, Major))
    shutil.copyfile(Module, "%s%s.so" % (Kind, Major))
    Result = subprocess.run(Command, capture_output=True, text=True)
    Refused = re.fullmatch(
        r"instantrace: warning: "
        r"(cannot load .*: undefined symbol: .*|.* is not a plugin for Clang \d+)"
        r"; no profile of this compile\n",
        Result.stderr,
    )
    if Result.returncode != 0 or Result.stdout or not Refused:
        sys.exit(
            "%s: exit %d\n%s%s"
            % (Module, Result.returncode, Result.stdout, Result.stderr)
        )
