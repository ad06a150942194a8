"""Runs a command with a small stack.

usage: with-small-stack.py KIB COMMAND...
"""

import os
import resource
import sys

Bytes = int(sys.argv[1]) * 1024
resource.setrlimit(resource.RLIMIT_STACK, (Bytes, Bytes))
os.execvp(sys.argv[2], sys.argv[2:])
