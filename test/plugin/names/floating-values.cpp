// A floating value as an argument.
// REQUIRES: clang-ge-19
// RUN: %python %S/Inputs/check-names.py %plugin %t %clangxx %s -std=c++20
// RUN: instantrace dump --no-phases %t.itrace | FileCheck %s
template <double Value> int use() { return 1; }
// CHECK: begin TemplateInstantiation use<{{2\.5.*}}>
int A = use<2.5>();
