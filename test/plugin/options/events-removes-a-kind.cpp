// A minus removes a kind, or a group of them, from the default.
// RUN: %clang_instantrace -std=c++20 -fplugin-arg-instantrace-events=-constraint -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace verify %t
// RUN: instantrace dump %t | FileCheck %s --implicit-check-not=Constraint --implicit-check-not=Requirement
template <class T>
concept Addable = requires(T X) { X + 1; };
template <Addable T> T increment(T X) { return X + 1; }
int Use = increment(1);
// CHECK: begin Parsing
// CHECK: begin FileInclusion
// CHECK: begin DeducedTemplateArgumentSubstitution increment
// CHECK: begin TemplateInstantiation increment<int>
// CHECK: end TemplateInstantiation increment<int> {{.*}} definition
