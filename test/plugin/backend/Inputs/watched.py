"""Attaches to a compile until it is in a pass of its own, says what is seen, and ends it.

usage: watched.py COMMAND...
"""

import json
import subprocess
import sys
import time

Compile = subprocess.Popen(sys.argv[1:])
try:
    Deadline = time.monotonic() + 60
    Seen = None
    while time.monotonic() < Deadline and Compile.poll() is None:
        Shown = subprocess.run(
            ["instantrace", "attach", "--json", str(Compile.pid)], capture_output=True, check=False, text=True
        )
        Frames = [json.loads(Line) for Line in Shown.stdout.splitlines()]
        if Frames and Frames[0]["pass"] == "InterruptPass":
            Seen = Frames[0]
            break
        time.sleep(0.05)
    if Seen:
        Innermost = Seen["stack"][-1]
        print("%s, pass %s, innermost %s %s" % (Seen["state"], Seen["pass"], Innermost["kind"], Innermost["name"]))
    else:
        print("the pass was not seen")
finally:
    Compile.kill()
    Compile.wait()
