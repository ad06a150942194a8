"""Runs recording processes in FOLDER and looks at them while they run."""
import os
import subprocess
import sys

Folder = sys.argv[1]


def record(Name, Seconds):
    Made = subprocess.Popen(
        ["instantrace-make-buffer", "%s/%s.itrace" % (Folder, Name), "live", Seconds],
        stdout=subprocess.PIPE,
    )
    Made.stdout.readline()  # "ready"
    return Made


def run(Title, *Arguments):
    print("== " + Title, flush=True)
    subprocess.run(
        ["instantrace", *Arguments], stderr=subprocess.STDOUT, timeout=600, check=False
    )


A = record("a", "3")
run("by process", "attach", "--once", str(A.pid))
B = record("b", "6")
run("two below one process", "attach", "--once", str(os.getpid()))
run("JSON", "attach", "--once", "--json", str(B.pid))
A.wait()
run("recover of a folder", "recover", Folder)
Buffer = Folder + "/.b.itrace.buffer"
run("recover of a file", "recover", "-o", Folder + "/now.itrace", Buffer)
print("== dump", flush=True)
subprocess.run(
    ["instantrace", "dump", "--kind", "Frontend", Buffer], stderr=subprocess.STDOUT
)
run("to the end", "attach", "--interval", "0.3", Buffer)
B.wait()
C = record("c", "60")
Watch = subprocess.Popen(
    ["instantrace", "attach", "--interval", "0.2", Folder + "/.c.itrace.buffer"],
    stdout=subprocess.PIPE,
)
Watch.stdout.readline()  # it is attached
C.kill()
C.wait()
print("== killed", flush=True)
sys.stdout.buffer.write(Watch.communicate(timeout=600)[0])
