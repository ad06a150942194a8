// One collector serves compiles that run at the same time.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %python %S/Inputs/with-collector.py --at-once=6 s %clang_instantrace -fplugin-arg-instantrace-buffer-size=64 -DN=200 -c %s -o {}.o > lines
// RUN: count 6 < lines
// RUN: FileCheck %s < lines
// RUN: instantrace verify .
// RUN: instantrace dump --no-phases 0.itrace > 0.txt
// RUN: instantrace dump --no-phases 5.itrace > 5.txt
// RUN: cmp 0.txt 5.txt
// RUN: cmp 0.o 5.o
#include "Inputs/work.h"
// CHECK-COUNT-6: itrace: complete
