// Nothing is written beside a device: the trace is in the working directory.
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s a.cpp
// RUN: %clang_instantrace -c a.cpp -o /dev/null 2>&1 | count 0
// RUN: find . -name '*.itrace' | FileCheck %s
// RUN: not ls /dev/null.itrace
// RUN: test -c /dev/null
// RUN: instantrace verify a-*.itrace
template <class T> struct Box {
  T Value;
};
Box<int> Use;
//     CHECK: {{^}}./a-{{[0-9a-f]+}}.itrace{{$}}
// CHECK-NOT: {{.}}
