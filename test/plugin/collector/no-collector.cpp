// Where no collector listens the compile records as ever, and verbose=on says so
// in one line.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang_instantrace -fplugin-arg-instantrace-collector=%t/none -DN=5 -c %s -o a.o 2>&1 | count 0
// RUN: instantrace verify a.itrace
// RUN: instantrace dump --header a.itrace | FileCheck %s --check-prefix=BUFFER
// RUN: %clang_instantrace -fplugin-arg-instantrace-collector=%t/none -fplugin-arg-instantrace-verbose=on -DN=5 -c %s -o a.o 2>&1 | FileCheck %s --match-full-lines --implicit-check-not=instantrace:
// RUN: env INSTANTRACE_COLLECTOR=%t/a.o %clang_instantrace -DN=5 -c %s -o b.o
// RUN: instantrace dump --header b.itrace | FileCheck %s --check-prefix=REFUSED
// RUN: %clang_instantrace -fplugin-arg-instantrace-collector= -DN=5 -c %s -o c.o 2>&1 | FileCheck %s --check-prefix=EMPTY
#include "Inputs/work.h"
// BUFFER:  buffer: {{ *}}file: collector {{.*}}/none: {{.+}}
// CHECK:   instantrace: collector {{.*}}/none: {{.+}}; recording without it
// CHECK:   instantrace: wrote {{.*}}a.itrace
// REFUSED: buffer: {{ *}}file: collector {{.*}}/a.o: Connection refused
// EMPTY:   instantrace: warning: invalid value '' for option 'collector'; expected the socket of a collector
