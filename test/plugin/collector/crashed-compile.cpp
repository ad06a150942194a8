// The collector finishes the trace of a compiler that crashes, and knows the
// names that it saved last.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %python %S/Inputs/with-collector.py s not %clang_instantrace -fno-crash-diagnostics -DN=20 -c %s -o a.o > lines 2> errors
// RUN: FileCheck %s --check-prefix=LINE --match-full-lines --implicit-check-not="without name" < lines
// RUN: instantrace verify a.itrace
// RUN: instantrace dump --header a.itrace | FileCheck %s
// RUN: ls -A | FileCheck %s --check-prefix=LEFT --implicit-check-not=.partial --implicit-check-not=.buffer
#include "Inputs/work.h"
template <class T> struct Last {
  T Value;
};
Last<Box<int, 7>> Use;
static_assert(sizeof(Use) != 0);
#pragma clang __debug crash
// LINE:  {{.*}}a.itrace: recovered {{[0-9,]+}} events, {{.*}}; the compiler was killed{{.*}}
// CHECK: buffer: {{ *}}memfd
// CHECK: Last<Box<int, 7>>
// LEFT:  a.itrace
