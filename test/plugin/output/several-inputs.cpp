// One command with several inputs: a trace beside each object.
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s a.cpp && cp %s b.cpp
// RUN: %clang_instantrace -c a.cpp b.cpp
// RUN: instantrace verify a.itrace b.itrace
// RUN: instantrace dump --header b.itrace | FileCheck %s
template <class T> struct Box {
  T Value;
};
Box<int> Use;
// CHECK: {{^}}input: b.cpp
// CHECK: {{^}}object: b.o
