#!/usr/bin/env python3
"""Makes docs/use/report.png: a report in Chromium, as a reader sees it.

usage: /usr/bin/python3 utils/docs/screenshot.py REPORT.html [NAME] > docs/use/report.png

NAME is a template whose row is opened before. The page is driven in the way its
tests do it (test/tool/report/Inputs/page.py).
"""

import base64
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "test", "tool", "report", "Inputs"))
sys.dont_write_bytecode = True

from page import Page  # noqa: E402


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    with Page(sys.argv[1], Width=1280, Height=760) as P:
        if len(sys.argv) == 3:
            P.run("Detail.showRow(Data.rows('template').find(r => r.name === arguments[0]))", sys.argv[2])
            P.settle()
        sys.stdout.buffer.write(base64.b64decode(P.Driver.get_screenshot_as_base64()))


if __name__ == "__main__":
    main()
