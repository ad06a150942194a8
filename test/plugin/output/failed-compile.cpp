// A compile that fails makes no object, but its trace is where the object was
// to be, and no temporary file stays.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: not %clang_instantrace -c %s -o a.o 2> err
// RUN: find . -type f | sort | FileCheck %s
// RUN: instantrace verify a.itrace
template <class T> struct Box {
  T Value;
};
Box<int> Use = undeclared;
//      CHECK: {{^}}./a.itrace{{$}}
// CHECK-NEXT: {{^}}./err{{$}}
//  CHECK-NOT: {{.}}
