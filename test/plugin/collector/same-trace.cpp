// With a collector the trace has the same events in the same order, and the
// object is the same. The buffer is small, so that it is full again and again.
// (When names are written, which is an event too, the clock has a part in.)
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clangxx -DN=400 -c %s -o without.o
// RUN: %clang_instantrace -fplugin-arg-instantrace-buffer-size=64 -DN=400 -c %s -o plain.o
// RUN: %python %S/Inputs/with-collector.py s %clang_instantrace -fplugin-arg-instantrace-buffer-size=64 -DN=400 -c %s -o collected.o > lines
// RUN: FileCheck %s --check-prefix=LINE --match-full-lines < lines
// RUN: cmp plain.o without.o
// RUN: cmp collected.o without.o
// RUN: %check_trace collected.itrace
// RUN: instantrace dump --no-phases plain.itrace > plain.txt
// RUN: instantrace dump --no-phases collected.itrace > collected.txt
// RUN: cmp plain.txt collected.txt
// RUN: instantrace dump --header collected.itrace | FileCheck %s --check-prefix=BUFFER
// RUN: ls -A | FileCheck %s --check-prefix=LEFT --implicit-check-not=.partial --implicit-check-not=.buffer
#include "Inputs/work.h"
// LINE:   {{.*}}collected.itrace: complete
// BUFFER: buffer: {{ *}}memfd{{$}}
// LEFT:   collected.itrace
