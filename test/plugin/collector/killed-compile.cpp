// The collector finishes the trace of a compile that is killed, as recover
// would.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang_instantrace -fplugin-arg-instantrace-buffer-size=64 -DN=400 -c %s -o plain.o
// RUN: %python %S/Inputs/with-collector.py --kill-compile=20000 s %clang_instantrace -fplugin-arg-instantrace-buffer-size=64 -DN=400 -c %s -o a.o > lines
// RUN: FileCheck %s --check-prefix=LINE --match-full-lines < lines
// RUN: instantrace verify a.itrace | FileCheck %s --check-prefix=VERIFY
// RUN: ls -A | FileCheck %s --check-prefix=LEFT --implicit-check-not=.partial --implicit-check-not=.buffer
#include "Inputs/work.h"
// LINE:   {{.*}}a.itrace: recovered {{[0-9,]+}} events, {{.*}}; the compiler was killed{{( by signal 9 \(SIGKILL\))?}}
// VERIFY: interrupted
// LEFT:   a.itrace
