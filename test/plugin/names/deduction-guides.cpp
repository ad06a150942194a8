// Deduction guides.
// RUN: %python %S/Inputs/check-names.py %plugin %t %clangxx %s -std=c++17
// RUN: instantrace dump --no-phases %t.itrace | FileCheck %s
template <class T> struct Box {
  Box(T, T);
  T Value;
};
template <class T> Box(T *) -> Box<T>;
// CHECK-DAG: DeducedTemplateArgumentSubstitution <deduction guide for Box>
// CHECK-DAG: begin TemplateInstantiation Box<int> {{.*}}:[[#@LINE+1]]
Box First(1, 2);
