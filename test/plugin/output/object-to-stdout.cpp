// With -o - the object is standard output's only content, byte for byte, and
// the trace is in the working directory.
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s a.cpp
// RUN: %clang_instantrace -c a.cpp -o - > with.o
// RUN: %clangxx -c a.cpp -o - > without.o
// RUN: cmp with.o without.o
// RUN: find . -name '*.itrace' | FileCheck %s
// RUN: instantrace verify a-*.itrace
template <class T> struct Box {
  T Value;
};
Box<int> Use;
//     CHECK: {{^}}./a-{{[0-9a-f]+}}.itrace{{$}}
// CHECK-NOT: {{.}}
