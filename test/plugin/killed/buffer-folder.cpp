// A compile that crashed leaves its buffer in the folder for buffers, and its
// partial trace beside the output. The next compile of that output replaces them,
// and a compile of another output of that name does not.
// RUN: rm -rf %t && mkdir -p %t/buffers %t/other && cd %t
// RUN: not %clang_instantrace -fplugin-arg-instantrace-buffer=buffers/ -fplugin-arg-instantrace-buffer-size=4 -fno-crash-diagnostics -DCRASH -c %s -o a.o 2>err
// RUN: not %clang_instantrace -fplugin-arg-instantrace-buffer=buffers/ -fplugin-arg-instantrace-buffer-size=4 -fno-crash-diagnostics -DCRASH -c %s -o a.o 2>err
// RUN: FileCheck %s --check-prefix=ERR < err
// RUN: ls -A buffers | FileCheck %s --check-prefix=BUFFERS
// RUN: ls -A . | FileCheck %s --check-prefix=PARTIAL
// RUN: instantrace recover -o recovered/ buffers
// RUN: instantrace verify recovered/a.itrace
// RUN: %clang_instantrace -fplugin-arg-instantrace-buffer=buffers/ -c %s -o other/a.o
// RUN: ls -A buffers | FileCheck %s --check-prefix=BUFFERS
// RUN: %clang_instantrace -fplugin-arg-instantrace-buffer=buffers/ -fplugin-arg-instantrace-buffer-size=4 -c %s -o a.o
// RUN: ls -A buffers | count 0
// RUN: ls -A . | FileCheck %s --check-prefix=CLEAN
template <int N> struct Count {
  static constexpr int Value = Count<N - 1>::Value + 1;
};
template <> struct Count<0> {
  static constexpr int Value = 0;
};
static_assert(Count<900>::Value == 900, "");
#ifdef CRASH
#pragma clang __debug crash
#endif
int Last;
// ERR:          instantrace: the compile was cut short; {{.*}} instantrace recover {{.*}}buffers/.a.itrace.{{[0-9a-f]+}}.buffer{{$}}
// BUFFERS:      {{^}}.a.itrace.{{[0-9a-f]+}}.buffer{{$}}
// BUFFERS-NOT:  {{.}}
// PARTIAL:      {{^}}.a.itrace.{{[0-9a-f]+}}.partial{{$}}
// PARTIAL-NOT:  partial
// CLEAN-NOT:    partial
// CLEAN:        {{^}}a.itrace{{$}}
// CLEAN-NOT:    partial
