"""at-once.py COUNT COMMAND...: runs the command COUNT times at the same time,
with `{}` replaced by a number; fails if one of them does."""

import subprocess
import sys

Started = [
    subprocess.Popen([Word.replace("{}", str(I)) for Word in sys.argv[2:]])
    for I in range(int(sys.argv[1]))
]
sys.exit(max([Process.wait() for Process in Started]))
