"""Types into a program on a terminal of its own, and shows what is on it.

usage: keyboard.py SCRIPT COMMAND...

Each line of SCRIPT is `type TEXT`, with \\n, \\t and \\xNN as in Python, `expect
TEXT`, which waits until that has appeared behind what was expected before, `never
TEXT`, which must not be anywhere on the screen up to now, or `end CODE`: the program
exits with that. Ends with 1, and with what was on the screen, where one is not so.
"""

import os
import pty
import select
import signal
import sys
import time

PATIENCE = 10


def main(Script, Command):
    Pid, Terminal = pty.fork()
    if Pid == 0:
        os.execvp(Command[0], Command)
    Seen, At = "", 0

    def read(Seconds):
        nonlocal Seen
        Ready, _, _ = select.select([Terminal], [], [], Seconds)
        if not Ready:
            return True
        try:
            Piece = os.read(Terminal, 4096)
        except OSError:  # the other end is closed
            return False
        Seen += Piece.decode("utf-8", "replace")
        return bool(Piece)

    def fail(Why):
        print("%s\n--- on the screen:\n%r" % (Why, Seen))
        os.kill(Pid, signal.SIGKILL)
        return 1

    with open(Script, encoding="utf-8") as File:
        Steps = [Line.rstrip("\n").partition(" ") for Line in File if Line.strip()]
    for What, _, Text in Steps:
        Text = Text.encode().decode("unicode_escape")
        if What == "type":
            # libedit shows its prompt before it takes the terminal.
            time.sleep(0.2)
            os.write(Terminal, Text.encode("latin-1"))
        elif What == "expect":
            Until = time.monotonic() + PATIENCE
            while Text not in Seen[At:]:
                if time.monotonic() > Until or not read(0.2):
                    return fail("found no %r behind %r" % (Text, Seen[:At][-200:]))
            At = Seen.index(Text, At) + len(Text)
        elif What == "never":
            if Text in Seen:
                return fail("found %r" % Text)
        elif What == "end":
            while read(PATIENCE):
                pass
            Code = os.waitstatus_to_exitcode(os.waitpid(Pid, 0)[1])
            if Code != int(Text):
                return fail("ended with %d, expected %s" % (Code, Text))
            print("as expected")
            return 0
        else:
            return fail("no step %r" % What)
    return fail("the script has no end")


sys.exit(main(sys.argv[1], sys.argv[2:]))
