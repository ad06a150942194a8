// An output that is no object keeps its suffix in the trace's name.
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s a.cpp
// RUN: %clang_instantrace -S a.cpp
// RUN: %clang_instantrace -S -emit-llvm a.cpp
// RUN: %clang_instantrace -c -emit-llvm a.cpp
// RUN: find . -name '*.itrace' | sort | FileCheck %s
// RUN: instantrace verify a.s.itrace a.ll.itrace a.bc.itrace
template <class T> struct Box {
  T Value;
};
Box<int> Use;
//      CHECK: {{^}}./a.bc.itrace{{$}}
// CHECK-NEXT: {{^}}./a.ll.itrace{{$}}
// CHECK-NEXT: {{^}}./a.s.itrace{{$}}
//  CHECK-NOT: {{.}}
