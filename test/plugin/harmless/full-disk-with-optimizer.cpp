// A disk that is full before all names are written: nobody asks for these any more when
// LLVM begins, since Clang has freed its AST by then. The object is as ever.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -shared -fPIC -O1 %S/Inputs/full-disk.c -o full-disk.so -ldl
// RUN: %clangxx -O2 -std=c++17 -c %s -o without.o
// RUN: env LD_PRELOAD=%t/full-disk.so FULL_DISK_AFTER=300 %clang_instantrace -fplugin-arg-instantrace-buffer-size=16 -O2 -std=c++17 -c %s -o a.o 2>a.err
// RUN: cmp a.o without.o
// RUN: env LD_PRELOAD=%t/full-disk.so FULL_DISK_AFTER=9000 %clang_instantrace -fplugin-arg-instantrace-buffer-size=16 -O2 -std=c++17 -c %s -o b.o 2>b.err
// RUN: cmp b.o without.o
// RUN: env LD_PRELOAD=%t/full-disk.so FULL_DISK_AFTER=300 %clang_instantrace -fplugin-arg-instantrace-buffer-size=16 -O0 -std=c++17 -c %s -o c.o 2>c.err
// RUN: FileCheck %s < a.err
// RUN: FileCheck %s < b.err
// RUN: FileCheck %s < c.err
template <class T, int N> struct Box {
  T Values[N + 1];
  int get() const { return Values[0] + N; }
};
template <int N> int count(int From) {
  Box<int, N> Of{};
  Of.Values[0] = From;
  if constexpr (N > 0)
    return Of.get() + count<N - 1>(From);
  else
    return Of.get();
}
int use(int From) { return count<400>(From); }
// CHECK-NOT: {{.}}
// CHECK: instantrace: warning: {{.*}}No space left on device{{.*}}
// CHECK-NOT: {{.}}
