// An object of -flto is named like any other.
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s a.cpp
// RUN: %clang_instantrace -flto -c a.cpp
// RUN: %clang_instantrace -flto=thin -c a.cpp -o thin.o
// RUN: find . -name '*.itrace' | sort | FileCheck %s
// RUN: instantrace verify a.itrace thin.itrace
template <class T> struct Box {
  T Value;
};
Box<int> Use;
//      CHECK: {{^}}./a.itrace{{$}}
// CHECK-NEXT: {{^}}./thin.itrace{{$}}
//  CHECK-NOT: {{.}}
