// The suite of a made-up Clang has one module.
// REQUIRES: other-clang && callback
// A module that cannot be loaded, because it is damaged or another Clang's: one
// warning line, the object, and no trace. Another Clang's is refused by the
// dynamic linker, since it wants symbols that this Clang does not have; where it
// finds all (15's in 14), by the name of its registration.
// RUN: rm -rf %t && mkdir %t && cp %plugin %t && cd %t
// RUN: %clangxx -c %s -o without.o
// RUN: cp %plugin_dir/instantrace-entry-clang-%clang_major.so .
// RUN: echo "no library" > instantrace-clang-%clang_major.so
// RUN: %clangxx -fplugin=./libinstantrace.so -c %s -o a.o >out 2>err
// RUN: FileCheck %s --match-full-lines -DMODULE=instantrace-clang-%clang_major < err
// RUN: cmp a.o without.o
// RUN: rm a.o && echo "no library" > instantrace-entry-clang-%clang_major.so
// RUN: %clangxx -fplugin=./libinstantrace.so -c %s -o a.o >out 2>err
// RUN: FileCheck %s --match-full-lines -DMODULE=instantrace-entry-clang-%clang_major < err
// RUN: cmp a.o without.o
// RUN: %python %S/Inputs/other-modules.py %plugin_dir %clang_major %clangxx -fplugin=./libinstantrace.so -c %s -o b.o
// RUN: cmp b.o without.o
// RUN: ls | FileCheck %s --check-prefix=LEFT --implicit-check-not=itrace
template <class T> T twice(T X) { return X + X; }
int use() { return twice(1); }
// CHECK-NOT: {{.}}
// CHECK:     instantrace: warning: cannot load {{.*}}/[[MODULE]].so: {{.*}}; no profile of this compile
// CHECK-NOT: {{.}}
// LEFT:      a.o
