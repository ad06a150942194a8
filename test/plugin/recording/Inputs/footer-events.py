"""The footer's number of records is that of the events that `dump` prints, and of the
times in which the compiler did not run, which depend on the machine.

usage: footer-events.py TEXTPROTO DUMP
"""

import re
import sys

with open(sys.argv[2]) as Dump:
    Lines = Dump.read()
Waits = int(re.search(r"^not running: .*, (\d+) times?$", Lines, re.M).group(1))
Events = len(re.findall(r"^ *(begin|end|instant) ", Lines, re.M))
with open(sys.argv[1]) as Text:
    assert "events_recorded: %d\n" % (Events + Waits) in Text.read(), (Events, Waits)
