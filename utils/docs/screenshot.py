#!/usr/bin/env python3
"""Makes the pictures of docs/use/report.md: the first screen of a report in
Chromium, as a reader sees it.

usage: /usr/bin/python3 utils/docs/screenshot.py TOOL FOLDER NAME=TRACES...

`TOOL report TRACES` is FOLDER/NAME.png then. TOOL may be that of another version.
The page is driven in the way its tests do it (test/tool/report/Inputs/page.py).
"""

import base64
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "test", "tool", "report", "Inputs"))
sys.dont_write_bytecode = True

from page import Page  # noqa: E402

MOST_BYTES = 250_000


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    Tool, Folder = sys.argv[1:3]
    for Argument in sys.argv[3:]:
        Name, Traces = Argument.split("=", 1)
        with tempfile.TemporaryDirectory() as Scratch:
            File = os.path.join(Scratch, "report.html")
            subprocess.run([Tool, "report", "-o", File, Traces], check=True)
            with Page(File, Width=1280, Height=760, At="") as P:
                Picture = base64.b64decode(P.Driver.get_screenshot_as_base64())
        if len(Picture) > MOST_BYTES:
            sys.exit("%s: found a picture of %d bytes, expected at most %d" % (Name, len(Picture), MOST_BYTES))
        with open(os.path.join(Folder, Name + ".png"), "wb") as Out:
            Out.write(Picture)


if __name__ == "__main__":
    main()
