"""Compiles a file several ways and compares all that is no time: FILE FOLDER COMPILER ARGUMENT..."""

import os
import subprocess
import sys

Source, Folder, *Compile = sys.argv[1:]
os.makedirs(Folder, exist_ok=True)


def told(Name, *Options):
    Trace = os.path.join(Folder, Name + ".itrace")
    subprocess.run([*Compile, "-fplugin-arg-instantrace-output=" + Trace, *("-fplugin-arg-instantrace-" + O for O in Options),
                    "-fsyntax-only", Source], check=True)
    Lines = subprocess.run(["instantrace", "dump", Trace], check=True, capture_output=True, text=True).stdout.splitlines()
    # A batch's rows of hits are in no order.
    return [L for L in Lines if not L.startswith("count")], sorted(L for L in Lines if L.startswith("count"))


First = told("first")
print("%d events, %d counts" % tuple(map(len, First)))
Busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 * os.cpu_count())]
try:
    Others = {"beside other work": told("busy")}
finally:
    for B in Busy:
        B.kill()
        B.wait()
Others["private"] = told("private", "buffer=private")
for Name, Other in Others.items():
    for What, A, B in zip(("events", "counts"), First, Other):
        Difference = next((I for I, (X, Y) in enumerate(zip(A, B)) if X != Y), min(len(A), len(B)))
        print("%s: %s the same" % (Name, What) if A == B else
              "%s: %s differ from %d on: %r, %r" % (Name, What, Difference, A[Difference:][:1], B[Difference:][:1]))
