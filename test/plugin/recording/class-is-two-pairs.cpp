// Clang begins a class template specialization twice: first to choose among
// partial specializations, then for the definition, and only that end says so.
// The observer sees one interval (observer/class-is-one-interval.cpp).
// REQUIRES: callback
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --no-phases %t | FileCheck %s
// RUN: instantrace summary --json -n 0 %t | FileCheck %s --check-prefix=SUMMARY
template <class T> struct Box {
  T Value;
};
Box<int> One;
//      CHECK: begin TemplateInstantiation Box<int> {{.*}}.cpp:[[#@LINE-1]]:10
// CHECK-NEXT: end   TemplateInstantiation Box<int> {{.*}}.cpp:[[#@LINE-2]]:10{{$}}
// CHECK-NEXT: begin TemplateInstantiation Box<int> {{.*}}.cpp:[[#@LINE-3]]:10
// CHECK-NEXT: end   TemplateInstantiation Box<int> {{.*}}.cpp:[[#@LINE-4]]:10 definition
//  CHECK-NOT: TemplateInstantiation

// SUMMARY: "name":"Box<$>","kind":"TemplateInstantiation","count":1,
