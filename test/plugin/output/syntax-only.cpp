// Without an object the trace is in the working directory; a second run
// replaces it.
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s a.cpp
// RUN: %clang_instantrace -fsyntax-only a.cpp > out 2>&1
// RUN: %clang_instantrace -fsyntax-only a.cpp >> out 2>&1
// RUN: count 0 < out
// RUN: find . -name '*.itrace' | FileCheck %s
// RUN: instantrace verify a-*.itrace
template <class T> struct Box {
  T Value;
};
Box<int> Use;
//     CHECK: {{^}}./a-{{[0-9a-f]+}}.itrace{{$}}
// CHECK-NOT: {{.}}
