#!/usr/bin/env python3
"""Runs the examples at the end of each command's help, where what they name is.

usage: examples.py CLANG PLUGIN FOLDER [COMMAND...]

Prepares FOLDER with sources, traces, sessions and leftovers of the names that
the examples have, and runs those of one command after the other by bash, in a
copy for each command. Programs of other people that an example pipes into or
builds with are small scripts. Prints what is wrong: an example that fails, help
with fewer than two, and lines of help that are wider than 80 columns.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import time

CLANG, PLUGIN, FOLDER = sys.argv[1], sys.argv[2], os.path.abspath(sys.argv[3])
A_CPP = r"""#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>
namespace boost { template <class T> struct any { T Value; }; }
namespace mine { template <int N> struct deep { static constexpr int value = deep<N - 1>::value; };
template <> struct deep<0> { static constexpr int value = 0; }; }
namespace lib { template <class T> struct Parser { T Of; int parse() { return int(Of); } }; }
int First(std::vector<int> V) {
  std::sort(V.begin(), V.end());
  std::map<std::string, std::vector<int>> Of;
  return int(Of["a"].size()) + std::get<0>(std::tuple<int, char>(V[0], 'x')) + mine::deep<40>::value +
         boost::any<int>{1}.Value + lib::Parser<int>{2}.parse();
}
#ifdef WAITS
#include "fifo"
#endif
"""
FILES = {
    "a.cpp": A_CPP,
    "src/list.h": "template <class T> struct Item { T Of; };\ntemplate <class T> struct List { Item<T> Value; List *Next; };\n",
    "src/b.cpp": '#include "list.h"\n#include <vector>\nList<int> One;\nstd::vector<List<int>> Many;\n',
    "ci/templates.budget": "count <= 100000\n",
    "script": "step\nbacktrace\n",
    "commands": "step\n",
}
BUILD = '#!/bin/sh\nexec clang++ -c "$(dirname "$0")/../shop/a.cpp" -o /dev/null\n'
PROGRAMS = {name: BUILD for name in ("ninja", "make", "cmake")}
PROGRAMS["git"] = '#!/bin/sh\n[ "$1" != diff ] || exit 0\nexec /usr/bin/git "$@"\n'
PROGRAMS.update({name: "#!/bin/sh\nexec cat\n" for name in ("jq", "man", "flamegraph.pl")})


def write(Path, Text, Mode=0o644):
    os.makedirs(os.path.dirname(Path) or ".", exist_ok=True)
    with open(Path, "w") as File:
        File.write(Text)
    os.chmod(Path, Mode)


def waiting_compile(Trace):
    """A compile that has instantiated most of a.cpp, and waits for the rest."""
    Compile = subprocess.Popen(
        [CLANG, "-fplugin=" + PLUGIN, "-fplugin-arg-instantrace-output=" + Trace, "-fsyntax-only", "-DWAITS", "a.cpp"],
        stderr=subprocess.DEVNULL,
    )
    End = time.monotonic() + 60
    while time.monotonic() < End:
        try:
            # Whoever opens it to write finds a reader when the compile is there.
            return Compile, os.open("fifo", os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            time.sleep(0.02)
    raise SystemExit("the compile of a.cpp does not come to its end")


def prepare():
    for Name, Text in FILES.items():
        write(os.path.join("shop", Name), Text)
    for Name, Text in PROGRAMS.items():
        write(os.path.join("bin", Name), Text, 0o755)
    write("bin/clang++", '#!/bin/sh\nexec %s "$@"\n' % CLANG, 0o755)
    os.chdir("shop")
    run = lambda *Words: subprocess.run(Words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    run(CLANG, "-fplugin=" + PLUGIN, "-g", "-c", "a.cpp", "-o", "a.o")
    run(CLANG, "-fplugin=" + PLUGIN, "-c", "src/b.cpp", "-o", "b.o")
    run("instantrace", "record", "-q", "-o", "session", "--", "ninja")
    for Name in ("b", "before", "after"):
        if Name != "b":
            shutil.copy("a.itrace", Name + ".itrace")
    for Name in ("build", "base/build", "branch/build", "head/build",
                 "base1", "base2", "base3", "instantrace-20261123-113012"):
        os.makedirs(Name)
        shutil.copy("a.itrace", Name + "/a.itrace")
        shutil.copy("b.itrace", Name + "/b.itrace")
    for Name in ("instantrace-20261124-101500", "libraries", "programs", "one/session", "other/session"):
        shutil.copytree("session", Name)
    run("instantrace", "compact", "--keep", "b.itrace")
    run("instantrace", "merge", "-o", "build.itrace.zst", "a.itrace", "b.itrace")
    os.mkfifo("fifo")
    for Trace in ("a.itrace", "build/a.itrace"):
        os.rename(Trace, Trace + ".kept")
        Killed, Fifo = waiting_compile(Trace)
        Killed.send_signal(signal.SIGKILL)
        Killed.wait()
        os.close(Fifo)
        os.rename(Trace + ".kept", Trace)
    os.remove("fifo")
    os.chdir("..")


def examples(Help):
    """Each with the lines that continue it, without the remark behind it."""
    Lines = re.split(r"^Examples:\n", Help, flags=re.M)[-1].rstrip("\n").splitlines()
    Found = []
    for Line in Lines:
        if re.match(r"  \S", Line):
            Found.append(Line[2:])
        elif Found and Line.startswith("   "):
            Found[-1] += "\n" + Line
        else:
            return []
    return Found


def main():
    os.environ["PATH"] = os.path.join(FOLDER, "bin") + ":" + os.environ["PATH"]
    os.environ["HOME"] = os.environ["XDG_RUNTIME_DIR"] = os.path.join(FOLDER, "user")
    os.environ["XDG_DATA_HOME"] = os.environ["GITHUB_STEP_SUMMARY"] = ""
    os.makedirs(FOLDER + "/user/.zfunc")
    os.makedirs(FOLDER + "/user/.config/fish/completions")
    os.environ["GITHUB_STEP_SUMMARY"] = FOLDER + "/user/summary.md"
    os.chdir(FOLDER)
    prepare()
    # A buffer names its partial trace by the whole path: whoever removes it does so in there.
    os.rename("shop", "kept")
    Whole = subprocess.run(["instantrace", "help", "-a"], check=True, capture_output=True, text=True).stdout
    Commands = re.findall(r"^  ([a-z]+)  ", Whole[: Whole.index("\nOptions:")], re.M)
    Wrong, Count = [], 0
    for Command in [""] + Commands:
        Words = [Command, "--help"] if Command else ["--help"]
        Help = subprocess.run(["instantrace"] + Words, check=True, capture_output=True, text=True).stdout
        Wrong += ["%s --help: %d columns: %s" % (Command, len(L), L) for L in Help.splitlines() if len(L) > 80]
        if not Command or (sys.argv[4:] and Command not in sys.argv[4:]):
            continue
        Found = examples(Help)
        Wrong += ["%s: %d examples at the end of its help" % (Command, len(Found))] if len(Found) < 2 else []
        Count += len(Found)
        shutil.copytree("kept", "shop")
        Running = None
        Script = "set -e -o pipefail\n" + "\n".join(Found) + "\n"
        if Command == "attach":
            os.chdir("shop")
            os.mkfifo("fifo")
            Running, Fifo = waiting_compile("build/b.itrace")
            os.chdir("..")
            Script = Script.replace("4711", str(Running.pid))
        Script += "if [ -n \"$(jobs -p)\" ]; then kill $(jobs -p); fi\n"
        Done = subprocess.run(
            ["bash", "-c", Script], cwd="shop", stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120
        )
        if Running:
            Running.kill()
            Running.wait()
        if Done.returncode != 0:
            Wrong.append("%s: exit code %d of\n%s%s%s" % (Command, Done.returncode, Script, Done.stdout[-300:], Done.stderr[-700:]))
        shutil.rmtree("shop")
    print("%d examples of %d commands, %d wrong" % (Count, len(Commands), len(Wrong)))
    print("\n".join(Wrong))


if __name__ == "__main__":
    main()
