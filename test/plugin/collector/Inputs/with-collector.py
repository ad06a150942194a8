"""Runs compiles while a collector runs.

usage: with-collector.py [OPTION...] SOCKET COMMAND... [{and} COMMAND...]...

Starts `instantrace collect --exit-when-idle -v SOCKET`, waits for the line that
says that it listens, and runs the commands one after the other with
INSTANTRACE_COLLECTOR=SOCKET. `{}` in a command is replaced by a number. Prints
what the collector printed, and fails when a command or the collector does.

  --at-once=N          runs each command N times at the same time
  --kill-collector=B   by SIGKILL, once a partial trace has so many bytes
  --stop-collector=B   the same by SIGSTOP; continued after the last command
  --kill-compile=B     the commands themselves; exit codes are not looked at
  --limit=S            no command may take longer (default: 120)

SOCKET is taken to be in the working directory: a Unix socket's name is short.
"""

import os
import signal
import subprocess
import sys
import time


def option(Name, Default):
    for Argument in list(sys.argv[1:]):
        if Argument.startswith("--" + Name + "="):
            sys.argv.remove(Argument)
            return float(Argument.partition("=")[2])
    return Default


AtOnce = int(option("at-once", 1))
KillCollector = option("kill-collector", None)
StopCollector = option("stop-collector", None)
KillCompile = option("kill-compile", None)
Limit = option("limit", 120)


def awaitBytes(Wanted, Processes):
    """Until a hidden partial trace in this folder is so long."""
    while all(Process.poll() is None for Process in Processes):
        for Name in os.listdir("."):
            try:
                if Name.endswith(".partial") and os.path.getsize(Name) >= Wanted:
                    return
            except FileNotFoundError:
                pass
        time.sleep(0.001)
    sys.exit("the compile ended before its trace had %d bytes" % Wanted)


Socket, *Words = sys.argv[1:]
Commands = [[]]
for Word in Words:
    if Word == "{and}":
        Commands.append([])
    else:
        Commands[-1].append(Word)

Collector = subprocess.Popen(
    ["instantrace", "collect", "--exit-when-idle", "-v", Socket],
    stdout=subprocess.PIPE,
)
Listening = Collector.stdout.readline().decode()
if not Listening.startswith("collecting at "):
    sys.exit("the collector said %r" % Listening)
Environment = dict(os.environ, INSTANTRACE_COLLECTOR=Socket)
Failed = []
for Command in Commands:
    Started = [
        subprocess.Popen(
            [Word.replace("{}", str(I)) for Word in Command], env=Environment
        )
        for I in range(AtOnce)
    ]
    for Bytes, Signal, Whom in (
        (KillCollector, signal.SIGKILL, [Collector]),
        (StopCollector, signal.SIGSTOP, [Collector]),
        (KillCompile, signal.SIGKILL, Started),
    ):
        if Bytes is None:
            continue
        awaitBytes(Bytes, Started)
        for Process in Whom:
            Process.send_signal(Signal)
    for Process in Started:
        Code = Process.wait(timeout=Limit)
        if Code != 0 and KillCompile is None:
            Failed.append("exit code %d of %s" % (Code, Command))
if StopCollector is not None:
    Collector.send_signal(signal.SIGCONT)
try:
    Code = Collector.wait(timeout=600)
except subprocess.TimeoutExpired:
    Collector.kill()
    sys.exit("the collector does not end")
sys.stdout.write(Collector.stdout.read().decode())
if Code != (-signal.SIGKILL if KillCollector is not None else 0):
    Failed.append("exit code %d of the collector" % Code)
if KillCollector is None and os.path.exists(Socket):
    Failed.append("the socket is left")
sys.exit("\n".join(Failed) or 0)
