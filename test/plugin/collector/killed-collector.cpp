// A collector that is killed takes nothing with it: the compile goes on by
// itself, and its trace is whole.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang_instantrace -fplugin-arg-instantrace-buffer-size=64 -DN=400 -c %s -o plain.o
// RUN: %python %S/Inputs/with-collector.py --kill-collector=20000 s %clang_instantrace -fplugin-arg-instantrace-buffer-size=64 -DN=400 -c %s -o a.o 2> errors
// RUN: count 0 < errors
// RUN: cmp a.o plain.o
// RUN: instantrace verify a.itrace
// RUN: instantrace dump --no-phases plain.itrace > plain.txt
// RUN: instantrace dump --no-phases a.itrace > a.txt
// RUN: cmp plain.txt a.txt
#include "Inputs/work.h"
