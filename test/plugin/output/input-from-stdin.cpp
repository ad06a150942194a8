// Source from standard input: beside the object, or as stdin-HASH.itrace.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang_instantrace -x c++ -c - -o in.o < %s
// RUN: %clang_instantrace -x c++ -fsyntax-only - < %s
// RUN: find . -name '*.itrace' | sort | FileCheck %s
// RUN: instantrace dump in.itrace | FileCheck %s --check-prefix=DUMP
template <class T> struct Box {
  T Value;
};
Box<int> Use;
//      CHECK: {{^}}./in.itrace{{$}}
// CHECK-NEXT: {{^}}./stdin-{{[0-9a-f]+}}.itrace{{$}}
//  CHECK-NOT: {{.}}
// DUMP: TemplateInstantiation Box<int> <stdin>:[[#@LINE-4]]
