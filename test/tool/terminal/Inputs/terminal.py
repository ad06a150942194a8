"""on_terminal(): what a program writes to a terminal."""

import os
import pty
import subprocess
import termios
import threading
import time


def on_terminal(Command, Input=None, Pieces=1, Pause=0.0, Output=None, **Environment):
    """(exit code, text). Input is written in pieces, with a pause after each.
    Output: where the standard output goes, if not to the terminal."""
    Ours, Theirs = pty.openpty()
    Attributes = termios.tcgetattr(Theirs)
    Attributes[1] &= ~termios.OPOST  # line breaks stay as they are
    termios.tcsetattr(Theirs, termios.TCSANOW, Attributes)
    Process = subprocess.Popen(
        Command,
        stdin=subprocess.DEVNULL if Input is None else subprocess.PIPE,
        stdout=Theirs if Output is None else Output,
        stderr=Theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100", **Environment},
    )
    os.close(Theirs)

    def feed():
        Size = -(-len(Input) // Pieces)
        for Begin in range(0, len(Input), Size):
            Process.stdin.write(Input[Begin : Begin + Size])
            Process.stdin.flush()
            time.sleep(Pause)
        Process.stdin.close()

    Feeder = threading.Thread(target=feed)
    if Input is not None:
        Feeder.start()
    Text = b""
    while True:
        try:
            Got = os.read(Ours, 65536)
        except OSError:  # the last one has closed it
            break
        if not Got:
            break
        Text += Got
    if Input is not None:
        Feeder.join()
    os.close(Ours)
    return Process.wait(), Text.decode()
