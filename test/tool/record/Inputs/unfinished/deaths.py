"""Compiles that each die in their own way, and what `record` says of each."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from recording import check, run, write  # noqa: E402

Clang, Inputs = sys.argv[1], os.path.dirname(os.path.abspath(__file__))
os.environ.update(LLVM_DISABLE_SYMBOLIZATION="1", LLVM_DISABLE_CRASH_REPORT="1", TMPDIR=os.getcwd())
write("harmless.cpp", "template <class T> struct Box { T Value; };\nint Size = sizeof(Box<int>);\n")


def block(Name, Kill="", Options="", Record=(), Limit="ulimit -v 3000000;"):
    """A build that goes on, and the lines about the unit that did not end."""
    write("build.sh", "%s\n%s %s -std=c++20 -c %s -o died.o %s\n%s -c harmless.cpp -o harmless.o\n"
          % ("ulimit -c 0; " + Limit, Kill, Clang, os.path.join(Inputs, Name + ".cpp"), Options, Clang))
    Done = run("instantrace", "record", "--no-progress", *Record, "-o", "s-" + Name + str(len(os.listdir("."))), "--", "sh", "build.sh")
    check(Done.returncode == 0, Name, Done.stderr)
    Found = re.search(r"^\S*%s\.cpp: .*\n(  .*\n)*" % Name, Done.stderr, re.M)
    check(Found, Name, Done.stderr[-3000:])
    return Found.group()


def says(Text, *Patterns):
    for Pattern in Patterns:
        check(re.search(Pattern, Text), Pattern, "in", Text)


CPU = r" after [0-9.]+ \S+ of CPU time at [0-9.]+ [MG]B\n"
# Its list doubles until it uses too much memory.
says(block("doubling", Record=["--kill-after-memory=300M"]), r"doubling.cpp: ended by --kill-after-memory=300M" + CPU,
     r"  while \S+ +Cat<", r"\n  from  +(Cat<.* < )?Grow<", r"\n  most time .* and [0-9.]+ MB of syntax tree in Cat<\$>: 1\d specializations",
     r"\n  memory  +grew by \d+ MB in Cat<\$>: [0-9.]+ MB, .* in its newest specializations\n")
# A recursion without end, with a limit as good as none.
says(block("recursion", "timeout -s KILL 4", "-ftemplate-depth=100000000"), r"recursion.cpp: (killed \(signal 9|ended \(it is not known how).*" + CPU,
     r"\n  from  .*Down<\d+>::value < .* more < Down<0>::value\n",
     r"\n  asked for by +\S*recursion.cpp:4  int Result = Down<0>::value;\n", r": linear recursion\n",
     r"\n  memory  +grew by [0-9.]+ [MG]B in Down<\$>::value\n", r"\n  to do  +end the recursion")
# Its specializations are one row, also those whose whole names were not written.
Rows = run("instantrace", "summary", "--by=template", *[F for F in os.listdir(".") if F.startswith("s-recursion")]).stdout
check("  Down<$>\n" in Rows and "Down<\u2026>" not in Rows, Rows)
# ... and one that Clang ends.
says(block("fatal", Options="-ftemplate-depth=300"), r"fatal.cpp: failed at -ftemplate-depth=300" + CPU,
     # Probes see the one that is too deep, the callback the one around it.
     r"  while instantiating   Sum<(199|20\d)>(::value)?  \S*fatal.cpp:1\n  from                  Sum<20\d>::value < .* < Sum<500>::value\n",
     r"  asked for by          \S*fatal.cpp:3  int A = Sum<500>::value;\n")
# Through constraints.
says(block("concept"), r"concept.cpp: failed at -ftemplate-depth=1024" + CPU, r"  while \S+ +Deep", r"\n  from .*Ask<",
     r"  asked for by          \S*concept.cpp:5  static_assert\(Deep<int>\);\n")
# A constant whose value takes for ever, until the build system or `record` has enough.
says(block("never", "timeout 2", "-fconstexpr-steps=4294967295"), r"never.cpp: (stopped \(signal 15, SIGTERM|ended \(it is not known how)\)" + CPU,
     # Within milliseconds of its start, when no whole name and no place was written.
     r"  while instantiating   Loop<3>::value  \S*never.cpp:5\n", r"\n  asked for by          \S*never.cpp:5  int Result = Loop<3>::value;\n")
says(block("never", "", "-fconstexpr-steps=4294967295", ["--kill-after=1s"]), r"never.cpp: ended by --kill-after=1s" + CPU)
# Its evaluation overflows the stack.
says(block("overflow", "", "-fconstexpr-depth=1000000000"), r"overflow.cpp: (crashed|killed|ended) \(",
     r"  while instantiating   Deep<1>::value  \S*overflow.cpp:3\n", r"\n  asked for by          \S*overflow.cpp:3  int Result = Deep<1>::value;\n")
# A crash of the compiler, in a file that is read behind all instantiations.
says(block("ice"), r"ice.cpp: crashed \(.* of CPU time", r"  while reading +\S*late.h  \S*ice.cpp:5\n", r"\n  to reproduce +\S+/ice-\w+\.sh\n")
# ^C is one line.
write("interrupt.sh", "for F in 1 2; do timeout -s INT 2 %s -c %s -fconstexpr-steps=4294967295 -o died$F.o; done; exit 0\n"
      % (Clang, os.path.join(Inputs, "never.cpp")))
Done = run("instantrace", "record", "--no-progress", "-o", "interrupted", "--", "sh", "interrupt.sh")
# Of one whose parent is faster than `record`, the signal is not seen.
check(re.search(r"^[12] compiles? interrupted by signal 2 \(SIGINT\): \S*never.cpp|^\S*never.cpp: ended \(it is not known how\)", Done.stderr, re.M),
      Done.stderr)
