"""Runs a recording process in FOLDER and debugs it while it runs."""
import subprocess
import sys

Path = sys.argv[1] + "/a.itrace"
Made = subprocess.Popen(["instantrace-make-buffer", Path, "live", "6"], stdout=subprocess.PIPE)
Made.stdout.readline()  # "ready"


def debugger(*Options):
    return subprocess.Popen(
        ["instantrace", "attach", "--replay", *Options, str(Made.pid)],
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


# At once, since it does not run for long; the first waits for its end.
Debuggers = [
    (debugger(), "backtrace\ncontinue\nbacktrace\n"),
    (debugger("--interpreter=json", "--batch", "-ex", "backtrace 1"), ""),
    (debugger("--batch", "-ex", "step", "-ex", "nonsense", "-ex", "quit 3"), ""),
]
for Debugger, Commands in Debuggers:
    print(Debugger.communicate(Commands, timeout=600)[0])
    print("exit code", Debugger.returncode)
Made.wait()
