// Two callbacks in one run of the compiler record the same events: what differs
// between them is the measurement.
// REQUIRES: callback
// RUN: rm -rf %t && mkdir %t
// RUN: %both_hooks -fplugin-arg-instantrace_hooks-output=%t/x -fplugin-arg-instantrace_hooks-again=on -fsyntax-only %s
// RUN: instantrace dump %t/x.callback.itrace > %t/one
// RUN: instantrace dump %t/x.again.itrace > %t/two
// RUN: FileCheck %s < %t/one && diff %t/one %t/two
template <class T> struct Box {
  T Value;
  T get() const { return Value; }
};
int First = Box<int>{1}.get();
// CHECK: Box<int>::get
