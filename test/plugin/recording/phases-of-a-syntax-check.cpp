// Where no code is generated there is no phase for it.
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump %t | FileCheck %s --implicit-check-not=CodeGeneration
template <class T> T twice(T X) { return X + X; }
int use() { return twice(1); }
//      CHECK: begin Frontend
//      CHECK: begin Parsing
//      CHECK: end   Parsing
// CHECK-NEXT: begin PendingInstantiations
//      CHECK: end   PendingInstantiations
// CHECK-NEXT: begin Profiling
// CHECK-NEXT: end   Profiling
// CHECK-NEXT: end Frontend
