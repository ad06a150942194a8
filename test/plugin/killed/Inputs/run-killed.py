"""Runs a compile that SIGKILL ends when an event begins.

usage: run-killed.py PRELOAD COUNTER FILE COMMAND...

FILE has the number of the event, PRELOAD (kill-timer.c) counts them in COUNTER.
"""

import os
import signal
import subprocess
import sys

from kill_timer import kill_timer

Preload, Counter, Number, *Command = sys.argv[1:]
with open(Number) as File:
    Event = int(File.read())
Code = subprocess.run(Command, env=dict(os.environ, **kill_timer(Preload, Counter, Event))).returncode
if Code != -signal.SIGKILL:
    sys.exit("exit %d, expected %d" % (Code, -signal.SIGKILL))
