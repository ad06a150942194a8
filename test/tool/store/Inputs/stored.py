"""What the tests of `store` share: a repository, its builds, answers."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "record", "Inputs"))
from recording import check, record, run, session, traces, write  # noqa: E402, F401

os.environ["XDG_DATA_HOME"] = os.path.join(os.getcwd(), "data")
# For who names the store there by --to, which makes no folder.
os.makedirs("data/instantrace", mode=0o700, exist_ok=True)
# Nothing of who runs the test.
os.environ.update({"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"})

HEADER = "template <int I> constexpr int sum() { if constexpr (I == 0) return 0; else return I + sum<I - 1>(); }\n"


def commit(Author, Message):
    """All there is in the working directory; returns its name."""
    Who = ["-c", "user.name=" + Author, "-c", "user.email=%s@x" % Author.lower()]
    subprocess.run(["git", "add", "-A", "."], check=True)
    subprocess.run(["git", *Who, "commit", "-q", "-m", Message], check=True)
    return run("git", "rev-parse", "HEAD").stdout.strip()


def repository(Folder, Clang, Units=("a.cpp", "b.cpp")):
    """A repository in Folder, in which the test goes on; each unit needs sum<N>."""
    os.makedirs(Folder)
    os.chdir(Folder)
    subprocess.run(["git", "init", "-q", "-b", "main", "."], check=True)
    write("sum.h", HEADER + "constexpr int N = 10;\n")
    for Unit in Units:
        write(Unit, '#include "sum.h"\nint %s() { return sum<N>(); }\n' % Unit[0])
    write("build.sh", "set -e\n" + "".join("%s -c %s -o %s.o\n" % (Clang, U, U) for U in Units))
    write(".gitignore", "*.o\n")


def build(Session):
    Result = record(Session, "sh", "build.sh", options=["-q"])
    check(Result.returncode == 0, Result.stderr)


def store(*Words, **Options):
    return run("instantrace", "store", *Words, **Options)


def add(*Sessions, code=0):
    Result = store("add", *Sessions)
    check(Result.returncode == code, "add", Sessions, Result.returncode, Result.stdout, Result.stderr)
    return Result


def ask(Question, *Options):
    Result = store("ask", Question, "--json", "-n", "0", *Options)
    check(Result.returncode == 0, Question, Options, Result.stderr)
    return json.loads(Result.stdout)


def steps(Answer):
    return [D for D in Answer["details"] if D["title"] == "steps"][0]["rows"]


def sql(Text):
    Result = store("sql", "--json", Text)
    check(Result.returncode == 0, Text, Result.stderr)
    return json.loads(Result.stdout)


def fails(Code, Message, *Words, **Options):
    Result = store(*Words, **Options)
    check(Result.returncode == Code and Message in Result.stderr, Words, Result.returncode, Result.stdout, Result.stderr)
