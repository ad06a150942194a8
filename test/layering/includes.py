#!/usr/bin/env python3
"""Checks which way includes run between the folders.

usage: includes.py ROOT

Reads every `#include` of our sources below ROOT and reports, one per line with
file and line number, each that the table below does not allow. The same table
is drawn in docs/design/architecture.md.
"""

import os
import re
import sys

# Ours: folder -> folders it may include from. The first that matches a file's
# path counts, so runtime/shm comes before runtime.
ALLOWED = [
    ("runtime/shm", ["runtime/shm"]),
    ("runtime", ["runtime"]),
    ("plugin", ["plugin", "runtime"]),
    ("utils", ["utils", "runtime", "proto"]),
    ("test/unit", ["test/unit", "utils", "runtime", "proto"]),
    ("test/fuzz", ["test/fuzz", "utils", "runtime", "proto"]),
    ("test/stress", ["test/stress", "runtime"]),
]

# Third party: a prefix of the include -> folders that may use it.
FOREIGN = [
    (r"(clang|clang-c|llvm|llvm-c)/", ["plugin"]),
    (r"google/protobuf/", ["utils", "test"]),
    (r"protozero/", ["runtime", "utils/export", "utils/input", "test"]),
    (r"xxh(ash|3)\.h", ["runtime", "plugin", "test"]),
    (r"(CLI|fmt|nlohmann)/|zstd\.h", ["utils", "test"]),
    (r"(gtest|gmock)/", ["test"]),
    (r"benchmark/", ["test", "utils/bench"]),
]
# runtime/shm is the standard library and itself, nothing else.
FOREIGN_FREE = ["runtime/shm"]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
STANDARD = re.compile(r"[a-z0-9_]+(\.h)?|sys/[a-z]+\.h|linux/[a-z]+\.h")


def inside(Path, Folder):
    return Path == Folder or Path.startswith(Folder + "/")


def violation(File, Quote, Include):
    """Why File may not include this, or None."""
    Rule = next(((F, A) for F, A in ALLOWED if inside(File, F)), None)
    if Rule is None:
        return None
    Folder, Allowed = Rule
    for Prefix, Users in FOREIGN:
        if re.match(Prefix, Include):
            if Folder in FOREIGN_FREE or not any(inside(File, U) for U in Users):
                return "%s may not use %s (only %s may)" % (
                    Folder,
                    Include,
                    ", ".join(Users),
                )
            return None
    Ours = Include.split("/")[0] in ("plugin", "runtime", "utils", "proto", "test")
    if Quote == '"' or Ours:
        if not Ours:
            return '"%s" is not written from the root of the repository' % Include
        if not any(inside(Include, A) for A in Allowed):
            return "%s may not include %s (only %s)" % (
                Folder,
                Include,
                ", ".join(Allowed),
            )
        return None
    if not STANDARD.fullmatch(Include):
        return "%s: <%s> is neither the standard library nor a known dependency" % (
            Folder,
            Include,
        )
    return None


def main(Root):
    Found = Files = 0
    for Top in ("plugin", "runtime", "utils", "test/unit", "test/fuzz", "test/stress"):
        for Folder, _, Names in sorted(os.walk(os.path.join(Root, Top))):
            for Name in sorted(Names):
                if not Name.endswith((".h", ".cpp", ".def", ".inc")):
                    continue
                Files += 1
                Path = os.path.join(Folder, Name)
                File = os.path.relpath(Path, Root)
                with open(Path, encoding="utf-8") as Source:
                    for LineNo, Line in enumerate(Source, 1):
                        Match = INCLUDE.match(Line)
                        Why = Match and violation(File, *Match.groups())
                        if Why:
                            print("%s:%d: %s" % (File, LineNo, Why))
                            Found += 1
    print("%d files read, %d wrong includes" % (Files, Found))
    return 1 if Found or not Files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
