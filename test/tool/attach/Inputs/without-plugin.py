"""Attaches to this process, which records nothing."""
import os
import subprocess

subprocess.run(["instantrace", "attach", "--once", str(os.getpid())])
