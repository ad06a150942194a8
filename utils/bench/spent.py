"""What one run of a command takes, whose output nobody reads."""

import os
import shlex
import sys
import time


def spent(Command, Processors=None):
    """(wall seconds, CPU seconds, bytes of memory) of a command that has to succeed.
    Processors: those that it may use, if not all."""
    Began = time.monotonic()
    Pid = os.fork()
    if Pid == 0:
        if Processors:
            os.sched_setaffinity(0, Processors)
        Null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(Null, 1)
        os.dup2(Null, 2)
        os.execv(Command[0], Command)
    _, Status, Usage = os.wait4(Pid, 0)
    if Status != 0:
        sys.exit("%s: found status %d, expected 0" % (shlex.join(Command), Status))
    return time.monotonic() - Began, Usage.ru_utime + Usage.ru_stime, Usage.ru_maxrss * 1024
