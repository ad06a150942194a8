"""Runs a command that may write files of at most 16 KiB.

usage: limit-file-size.py COMMAND...
"""

import resource
import subprocess
import sys

Limit = 16 * 1024
resource.setrlimit(resource.RLIMIT_FSIZE, (Limit, Limit))
sys.exit(subprocess.call(sys.argv[1:]))
