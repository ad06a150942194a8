// To the observer a class template specialization is one interval, in which it
// is defined.
// RUN: %clang_instantrace -fplugin-arg-instantrace-hook=observer -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --kind TemplateInstantiation %t | FileCheck %s
// RUN: instantrace summary --json --kind TemplateInstantiation -n 0 %t | FileCheck %s --check-prefix=SUMMARY
template <class T> struct Box {
  T Value;
};
Box<int> One;
//      CHECK: begin TemplateInstantiation Box<int> {{.*}}.cpp:[[#@LINE-1]]:10
// CHECK-NEXT: end   TemplateInstantiation Box<int> {{.*}}.cpp:[[#@LINE-2]]:10 definition
//  CHECK-NOT: {{.}}

// SUMMARY: "name":"Box<$>","kind":"TemplateInstantiation","count":1,"definitions":1,
