// Where files cannot be locked, a compile leaves its trace and nothing else, and
// what a crash leaves is recovered.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -shared -fPIC -O1 %S/Inputs/no-locks.c -o no-locks.so
// RUN: mkdir work && cd work
// RUN: env LD_PRELOAD=%t/no-locks.so %clang_instantrace -c %s -o a.o
// RUN: env LD_PRELOAD=%t/no-locks.so %clang_instantrace -c %s -o a.o
// RUN: ls -A . | FileCheck %s --check-prefix=LEFT
// RUN: env LD_PRELOAD=%t/no-locks.so instantrace verify a.itrace
// RUN: env LD_PRELOAD=%t/no-locks.so not %clang_instantrace -fno-crash-diagnostics -DCRASH -c %s -o b.o 2>err
// RUN: env LD_PRELOAD=%t/no-locks.so instantrace recover --remove .
// RUN: instantrace verify b.itrace
// RUN: ls -A . | FileCheck %s --check-prefix=LEFT-THEN
template <class T> T twice(T X) { return X + X; }
int use() { return twice(1); }
#ifdef CRASH
#pragma clang __debug crash
#endif
int Last;
// LEFT:          {{^}}a.itrace{{$}}
// LEFT-NEXT:     {{^}}a.o{{$}}
// LEFT-NOT:      {{.}}
// LEFT-THEN-NOT: buffer
// LEFT-THEN:     {{^}}b.itrace{{$}}
// LEFT-THEN-NOT: buffer
