// A loader without the module of this Clang (missing, or the Clang is one that
// Instantrace does not know): one warning line, the object, and no trace.
// Options given to the plugin do no harm either.
// RUN: rm -rf %t && mkdir %t && cp %plugin %t && cd %t
// RUN: %clangxx -fplugin=./libinstantrace.so -fplugin-arg-instantrace-verbose=on -Werror -c %s -o a.o >out 2>err
// RUN: FileCheck %s --match-full-lines -DMAJOR=%clang_major < err
// RUN: count 0 < out
// RUN: %clangxx -c %s -o without.o && cmp a.o without.o
// RUN: ls | FileCheck %s --check-prefix=LEFT --implicit-check-not=itrace
template <class T> T twice(T X) { return X + X; }
int use() { return twice(1); }
// CHECK-NOT: {{.}}
// CHECK:     instantrace: warning: no plugin for Clang [[MAJOR]] ({{.*}}/instantrace-clang-[[MAJOR]].so does not exist; install the package instantrace-clang-[[MAJOR]], or run `utils/dev install [[MAJOR]]` in a checkout, see docs/use/new-clang.md); no profile of this compile
// CHECK-NOT: {{.}}
// LEFT:      a.o
