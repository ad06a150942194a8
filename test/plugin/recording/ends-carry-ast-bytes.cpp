// An end tells what its interval allocated in the AST, with the intervals
// inside it and without; the rows of the summary add up to the whole.
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --format=json %t | FileCheck %s
// RUN: instantrace dump --format=json %t > %t.events
// RUN: instantrace summary --json -n 0 %t > %t.summary
// RUN: %python %S/Inputs/ast-bytes-add-up.py %t.events %t.summary
template <class T> struct Inner {
  T A, B, C;
};
template <class T> struct Outer {
  Inner<T> First;
  T Second;
};
Outer<int> Use;
// CHECK-DAG: "event":"end",{{.*}}"name":"Inner<int>",{{.*}}"ast_bytes":[[INNER:[1-9][0-9]+]],"ast_bytes_own":[[INNER]],{{.*}}"definition":true
// CHECK-DAG: "event":"end",{{.*}}"name":"Outer<int>",{{.*}}"ast_bytes":{{[1-9][0-9]+}},"ast_bytes_own":{{[1-9][0-9]+}},{{.*}}"definition":true
