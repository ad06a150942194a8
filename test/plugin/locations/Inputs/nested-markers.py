"""Preprocessed source in which line markers enter COUNT files, one in the other.

usage: nested-markers.py COUNT > FILE.ii
"""

import sys

print('# 1 "main.cpp"')
for Depth in range(int(sys.argv[1])):
    print('# 1 "f%d.h" 1' % Depth)
print("template <class T> struct Box { T Value; };")
print("int Use = sizeof(Box<int>);")
