"""Runs a recording process in FOLDER and debugs it while it runs."""
import subprocess
import sys

Path = sys.argv[1] + "/a.itrace"
Made = subprocess.Popen(["instantrace-make-buffer", Path, "live", "4"], stdout=subprocess.PIPE)
Made.stdout.readline()  # "ready"
Done = subprocess.run(
    ["instantrace", "attach", "--replay", str(Made.pid)],
    input="backtrace\ncontinue\nbacktrace\n",
    text=True,
    stdout=subprocess.PIPE,
    stderr=subprocess.STDOUT,
    timeout=600,
)
Made.wait()
print(Done.stdout)
print("exit code", Done.returncode)
