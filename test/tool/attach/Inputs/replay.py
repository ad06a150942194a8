"""Runs recording processes in FOLDER and debugs them while they run."""
import subprocess
import sys


def record(Name, Seconds):
    Made = subprocess.Popen(
        ["instantrace-make-buffer", "%s/%s.itrace" % (sys.argv[1], Name), "live", Seconds],
        stdout=subprocess.PIPE,
    )
    Made.stdout.readline()  # "ready"
    return Made


def debugger(Of, *Options):
    return subprocess.Popen(
        ["instantrace", "attach", "--replay", *Options, str(Of.pid)],
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


# At once, since it does not run for long; the first three wait for its end.
A = record("a", "10")
Debuggers = [
    (debugger(A), "backtrace\ncontinue\nbacktrace\n"),
    (debugger(A, "--batch", "-ex", "up 10", "-ex", "finish"), ""),
    (debugger(A, "--batch", "-ex", "break Nowhere", "-ex", "continue", "-ex", "break Nowhere"), ""),
    (debugger(A, "--batch", "-ex", "step", "-ex", "nonsense", "-ex", "quit 3"), ""),
]
for Debugger, Commands in Debuggers:
    print(Debugger.communicate(Commands, timeout=600)[0])
    print("exit code", Debugger.returncode)
A.wait()

B = record("b", "60")
Waiting = debugger(B, "--batch", "-ex", "print", "-ex", "continue", "-ex", "backtrace")
Waiting.stdout.readline()  # it is attached
B.kill()
B.wait()
print("== killed")
print(Waiting.communicate(timeout=600)[0])
print("exit code", Waiting.returncode)
