"""What the tests of `advise --try` have in common: a project of four units, or fewer, of which each includes
<all.h> and needs <light.h> alone; <heavy.h> has work for the compiler. usage: X.py CLANG... with the
plugin's options."""
import json
import os
import subprocess
import sys

Clang = sys.argv[1:]


def check(Condition, *What):
    if not Condition:
        sys.exit("FAILED: " + " ".join(str(W) for W in What) + " at line %d" % sys._getframe(1).f_lineno)


def write(Name, Text, Mode=0o666):
    os.makedirs(os.path.dirname(Name) or ".", exist_ok=True)
    with open(Name, "w") as File:
        File.write(Text)
    os.chmod(Name, Mode & ~0o022)


def run(*Words, **More):
    return subprocess.run(Words, capture_output=True, text=True, **More)


def project(Body="light_function()", Light="inline int light_function() { return 2; }\n", Units=4, Cells=3000):
    write("inc/heavy.h", """#pragma once
template <int I> struct Cell { int Data[I + 1]; };
template <class T, T... I> struct Cells { static constexpr unsigned long Sizes[] = {sizeof(Cell<I>)...}; };
inline constexpr unsigned long HeavySize = __make_integer_seq<Cells, int, %d>::Sizes[7];
inline int heavy_function() { return 1; }
""" % Cells)
    write("inc/light.h", "#pragma once\n" + Light)
    write("inc/all.h", '#pragma once\n#include "heavy.h"\n#include "light.h"\n')
    for I in range(Units):
        write("u%d.cpp" % I, "#include <all.h>\nint use%d() { return %s; }\n" % (I, Body))


def record(Compiler=None, Units=4):
    """With the program that is called instead, if there is one."""
    Words = [Compiler or Clang[0], *Clang[1:], "-std=c++17", "-isystem", "inc"]
    for I in range(Units):
        Done = run(*Words, "-c", "u%d.cpp" % I, "-o", "u%d.o" % I)
        check(Done.returncode == 0, Done.stderr)
    return ["u%d.itrace" % I for I in range(Units)]


def wrapper(Script):
    """A compiler that does what the lines of bash say, and then compiles."""
    write("bin/clang++", '#!/bin/bash\n%s\nexec -a "$0" %s "$@"\n' % (Script, Clang[0]), 0o755)
    return os.path.abspath("bin/clang++")


def environment(Temporary="tmp", **More):
    os.makedirs(Temporary, exist_ok=True)
    return {**os.environ, "TMPDIR": os.path.abspath(Temporary), **More}


def advise(*Words, **More):
    """What is said of the first suggestion, and how it ended; nothing may stay."""
    Before = contents()
    Done = run("instantrace", "advise", "--json", *Words, env=environment(), **More)
    check(os.listdir("tmp") == [], os.listdir("tmp"))
    Made = contents() - Before - {"./fix.patch"}
    check(not Made, Made)
    return json.loads(Done.stdout)["rows"][0] if Done.returncode in (0, 1) and Done.stdout else None, Done


def contents():
    return {os.path.join(At, Name) for At, _, Names in os.walk(".") for Name in Names}
