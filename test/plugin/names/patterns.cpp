// Partial specializations are named as the source has them.
// The observer sees no deductions as short as these.
// REQUIRES: callback
// RUN: %python %S/Inputs/check-names.py %plugin %t %clangxx %s -std=c++17
// RUN: instantrace dump --no-phases %t.itrace | FileCheck %s
template <class T, int N = 4> struct Box {};
template <class T> struct Box<T *, sizeof(T)> {};
template <class T, int N> struct Box<T[N], N + 1> {};
// CHECK-DAG: begin TemplateInstantiation Box<int *{{(, 4)?}}> {{.*}}:[[#@LINE+1]]
Box<int *> A;
// CHECK-DAG: begin TemplateInstantiation Box<char[2], 3> {{.*}}:[[#@LINE+1]]
Box<char[2], 3> B;
// CHECK-DAG: DeducedTemplateArgumentSubstitution Box<T *, sizeof(T)>
// CHECK-DAG: DeducedTemplateArgumentSubstitution Box<T[N], N + 1>
