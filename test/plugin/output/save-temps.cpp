// With -save-temps the frontend makes a.bc, so that is the trace's name.
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s a.cpp
// RUN: %clang_instantrace -save-temps -c a.cpp -o other.o
// RUN: test -s other.o
// RUN: find . -name '*.itrace' | FileCheck %s
// RUN: instantrace dump --no-phases *.itrace | FileCheck %s --check-prefix=DUMP
template <class T> struct Box {
  T Value;
};
Box<int> Use;
//     CHECK: {{^}}./a.bc.itrace{{$}}
// CHECK-NOT: {{.}}
// DUMP: TemplateInstantiation Box<int> a.cpp:[[#@LINE-3]]
