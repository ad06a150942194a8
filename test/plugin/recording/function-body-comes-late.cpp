// A function template is deduced and declared where it is called; its body is
// instantiated at the end of the translation unit.
// The observer's form is observer/function-body-comes-late.cpp.
// REQUIRES: callback
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump %t | FileCheck %s
// RUN: instantrace summary --json -n 0 %t | FileCheck %s --check-prefix=SUMMARY
template <class T> T twice(T X) { return X + X; }
int Two = twice(1);
//      CHECK: begin DeducedTemplateArgumentSubstitution twice {{.*}}.cpp:[[#@LINE-1]]:11
//      CHECK: end   DeducedTemplateArgumentSubstitution twice {{.*}}.cpp:[[#@LINE-2]]:11
// CHECK-NEXT: begin TemplateInstantiation twice<int> {{.*}}.cpp:[[#@LINE-3]]:11
// CHECK-NEXT: end   TemplateInstantiation twice<int> {{.*}}.cpp:[[#@LINE-4]]:11{{$}}
//      CHECK: begin PendingInstantiations
// CHECK-NEXT: begin TemplateInstantiation twice<int> {{.*}}.cpp:[[#@LINE-6]]:11
// CHECK-NEXT: end   TemplateInstantiation twice<int> {{.*}}.cpp:[[#@LINE-7]]:11 definition
// CHECK-NEXT: end   PendingInstantiations

// SUMMARY: "name":"twice<$>","kind":"TemplateInstantiation","count":1,
