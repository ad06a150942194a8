// A compiler that crashes under two profilers leaves two profiles, each with
// the names that were pending.
// REQUIRES: callback
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: not %both_hooks -fno-crash-diagnostics -fplugin-arg-instantrace_hooks-output=x -c %s -o x.o 2> errors
// RUN: FileCheck %s --check-prefix=SAYS < errors
// RUN: instantrace recover .
// RUN: instantrace dump x.callback.itrace | FileCheck %s
// RUN: instantrace dump x.observer.itrace | FileCheck %s
template <class T> struct Box {
  T Value;
};
static_assert(sizeof(Box<int>) != 0, "");
#pragma clang __debug crash
// SAYS-DAG: its profile until then: instantrace recover {{.*}}x.callback.itrace
// SAYS-DAG: its profile until then: instantrace recover {{.*}}x.observer.itrace
// CHECK: Box<int>
