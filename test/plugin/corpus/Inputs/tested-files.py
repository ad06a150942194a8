"""Prints the files of the corpus that the tests on standard input profile."""

import re
import sys

for File in sorted(re.findall(r"profile\.py.* %corpus/(\S+)", sys.stdin.read())):
    print(File)
