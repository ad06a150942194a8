// No memory for the buffer: one warning line, exit code 0, the object as ever,
// and nothing left behind.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -shared -fPIC -O1 %S/Inputs/no-memory.c -o no-memory.so -ldl
// RUN: %clangxx -c %s -o without.o
// RUN: env LD_PRELOAD=%t/no-memory.so %clang_instantrace -fplugin-arg-instantrace-buffer-size=65536 -c %s -o a.o >out 2>err
// RUN: cmp a.o without.o
// RUN: FileCheck %s --match-full-lines --check-prefix=ERR < err
// RUN: count 0 < out
// RUN: ls -A . | FileCheck %s --check-prefix=LEFT --implicit-check-not=itrace
template <int N> struct Count {
  static constexpr int Value = Count<N - 1>::Value + 1;
};
template <> struct Count<0> {
  static constexpr int Value = 0;
};
static_assert(Count<900>::Value == 900, "");
template <class T> T twice(T X) { return X + X; }
int use() { return twice(1); }
// ERR-NOT: {{.}}
// ERR:     instantrace: warning: found no memory for a buffer of 65{{[0-9]+}} KiB; no profile of this compile
// ERR-NOT: {{.}}
// LEFT:    a.o
