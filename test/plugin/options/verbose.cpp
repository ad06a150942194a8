// verbose=on is one line about what was written, on standard error.
// RUN: %clang_instantrace -fplugin-arg-instantrace-verbose=on -fplugin-arg-instantrace-output=%t.itrace -fsyntax-only %s > %t.out 2> %t.err
// RUN: FileCheck %s --match-full-lines < %t.err
// RUN: count 1 < %t.err
// RUN: count 0 < %t.out
// RUN: %clang_instantrace -fplugin-arg-instantrace-verbose=off -fplugin-arg-instantrace-output=%t.itrace -fsyntax-only %s 2>&1 | count 0
template <class T> struct Box {
  T Value;
};
Box<int> Use;
// CHECK: instantrace: wrote {{.*}}verbose.cpp.tmp.itrace
