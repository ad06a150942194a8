// A full disk: one warning line, exit code 0, the object as ever. Full from the
// start, nothing is left of the trace; full later, what was recorded until then
// is there to be recovered.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -shared -fPIC -O1 %S/Inputs/full-disk.c -o full-disk.so -ldl
// RUN: %clangxx -c %s -o without.o
// RUN: env LD_PRELOAD=%t/full-disk.so FULL_DISK_FIRST=1 %clang_instantrace -c %s -o a.o >first.out 2>first.err
// RUN: cmp a.o without.o
// RUN: ls -A . | FileCheck %s --check-prefix=LEFT --implicit-check-not=itrace
// RUN: env LD_PRELOAD=%t/full-disk.so FULL_DISK_AFTER=300 %clang_instantrace -c %s -o b.o >later.out 2>later.err
// RUN: cmp b.o without.o
// RUN: FileCheck %s --match-full-lines --check-prefixes=CHECK,FIRST < first.err
// RUN: FileCheck %s --match-full-lines --check-prefixes=CHECK,LATER < later.err
// RUN: cat first.out later.out | count 0
// RUN: instantrace recover -o c.itrace .b.itrace.buffer
// RUN: instantrace verify c.itrace
// RUN: instantrace dump c.itrace | FileCheck %s --check-prefix=DUMP
template <class T> T twice(T X) { return X + X; }
int use() { return twice(1); }
// CHECK-NOT: {{.}}
// FIRST:     instantrace: warning: {{.*}}/a.itrace: No space left on device; no profile of this compile
// LATER:     instantrace: warning: {{.*}}/b.itrace: No space left on device; for the profile until then: instantrace recover {{.*}}/.b.itrace.buffer
// CHECK-NOT: {{.}}
// LEFT:      a.o
// DUMP:      TemplateInstantiation twice<int>
