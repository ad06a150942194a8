// The trace is beside the object, under its name with the suffix .itrace.
// RUN: rm -rf %t && mkdir -p %t/obj && cd %t && cp %s a.cpp
// RUN: %clang_instantrace -c a.cpp
// RUN: test -s a.o && instantrace verify a.itrace
// RUN: %clang_instantrace -c a.cpp -o obj/other.o
// RUN: test -s obj/other.o && instantrace verify obj/other.itrace
// RUN: find . -type f | sort | FileCheck %s
template <class T> struct Box {
  T Value;
};
Box<int> Use;
//      CHECK: ./a.cpp
// CHECK-NEXT: ./a.itrace
// CHECK-NEXT: ./a.o
// CHECK-NEXT: ./obj/other.itrace
// CHECK-NEXT: ./obj/other.o
//  CHECK-NOT: {{.}}
