// Intervals nest as the work does, and every begin has its end.
// The observer's form is observer/intervals-nest.cpp.
// REQUIRES: callback
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace verify %t
// RUN: instantrace dump --no-phases --kind TemplateInstantiation %t | FileCheck %s --strict-whitespace
template <class T> struct Inner {
  T Value;
};
template <class T> struct Outer {
  Inner<T> Member;
};
Outer<int> Use;
//      CHECK:{{^}}begin    TemplateInstantiation Outer<int>
// CHECK-NEXT:{{^}}end      TemplateInstantiation Outer<int>
// CHECK-NEXT:{{^}}begin    TemplateInstantiation Outer<int>
// CHECK-NEXT:{{^}}begin      TemplateInstantiation Inner<int>
// CHECK-NEXT:{{^}}end        TemplateInstantiation Inner<int>
// CHECK-NEXT:{{^}}begin      TemplateInstantiation Inner<int>
// CHECK-NEXT:{{^}}end        TemplateInstantiation Inner<int>{{.*}} definition
// CHECK-NEXT:{{^}}end      TemplateInstantiation Outer<int>{{.*}} definition
