// output=DIR/ makes the directory; one that exists needs no slash. The name in
// it is the same for the same compile.
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s a.cpp
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=new/deep/ -c a.cpp
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=new/deep -c a.cpp
// RUN: env INSTANTRACE_OUTPUT=new/deep %clang_instantrace -c a.cpp
// RUN: find . -name '*itrace*' | FileCheck %s
// RUN: instantrace verify new/deep
template <class T> struct Box {
  T Value;
};
Box<int> Use;
//     CHECK: {{^}}./new/deep/a-{{[0-9a-f]+}}.itrace{{$}}
// CHECK-NOT: {{.}}
