// A compile of C has no events and so no trace, unless asked for with empty=on.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang_cc_instantrace -c %s -o a.o
// RUN: find . -name '*itrace*' | count 0
// RUN: %clang_cc_instantrace -fplugin-arg-instantrace-empty=on -c %s -o a.o
// RUN: instantrace verify a.itrace
// RUN: instantrace dump --header a.itrace | FileCheck %s
int twice(int X) { return X + X; }
// CHECK: {{^}}exit: success
// CHECK: begin Parsing
// CHECK: end Parsing
