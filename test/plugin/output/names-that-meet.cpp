// Two outputs in one folder never share a trace, whatever their names.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang_instantrace -c %s -o a.o
// RUN: %clang_instantrace -c %s -o a
// RUN: find . -name '*itrace*' | sort | FileCheck %s
// RUN: instantrace dump --header a.itrace | FileCheck %s --check-prefix=OBJECT
// RUN: instantrace dump --header a-*.itrace | FileCheck %s --check-prefix=PLAIN
template <class T> struct Box { T Value; };
Box<int> Use;

//      CHECK: {{^}}./a-{{[0-9a-f]+}}.itrace{{$}}
// CHECK-NEXT: {{^}}./a.itrace{{$}}
//  CHECK-NOT: {{.}}
// OBJECT: {{^}}object: {{.*}}a.o{{$}}
//  PLAIN: {{^}}object: {{(.*/)?}}a{{$}}
