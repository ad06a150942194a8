// A limit on file sizes that the object keeps and the trace does not: an error
// of ours and not SIGXFSZ, which would end the compile.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clangxx -std=c++17 -c %s -o without.o
// RUN: %python %S/Inputs/limit-file-size.py %clang_instantrace -std=c++17 -c %s -o a.o >out 2>err
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
static_assert(Count<900>::Value == 900);
// ERR-NOT: {{.}}
// ERR:     instantrace: warning: {{.*}}a.itrace: File too large; no profile of this compile
// ERR-NOT: {{.}}
// LEFT:    a.o
