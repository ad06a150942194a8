// Both hooks profile one run of the compiler, each into a trace of its own, and
// agree on what was instantiated.
// REQUIRES: callback
// RUN: rm -rf %t && mkdir %t
// RUN: %both_hooks -fplugin-arg-instantrace_hooks-output=%t/x -fsyntax-only %s
// RUN: instantrace verify %t/x.callback.itrace %t/x.observer.itrace
// RUN: instantrace-bench-hooks %t/x.callback.itrace %t/x.observer.itrace %t/x.own-work | %python -m json.tool | FileCheck %s
template <class T> struct Box {
  T Value;
  T get() const { return Value; }
};
int First = Box<int>{1}.get();
// CHECK:      "callback": {
// CHECK-NEXT:   "hook": "callback",
// CHECK:      "observer": {
// CHECK-NEXT:   "hook": "observer",
// CHECK:      "specializations": {
// CHECK-NEXT:   "callback": 2,
// CHECK:        "share": 1.0,
// CHECK-NEXT:   "definitions": {
// CHECK-NEXT:     "callback": 2,
// CHECK-NEXT:     "observer": 2,
// CHECK-NEXT:     "both": 2,
