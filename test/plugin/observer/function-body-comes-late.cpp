// A function template's body is instantiated at the end of the translation unit,
// and that interval says so and who asked for it; the function counts as one.
// RUN: %clang_instantrace -fplugin-arg-instantrace-hook=observer -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump %t | FileCheck %s
// RUN: instantrace summary --json --kind TemplateInstantiation -n 0 %t | FileCheck %s --check-prefix=SUMMARY
template <class T> T twice(T X) { return X + X; }
int Two = twice(1);
//      CHECK: begin PendingInstantiations
// CHECK-NEXT: begin TemplateInstantiation twice<int> {{.*}}.cpp:[[#@LINE-2]]:11 requested by {{.*}}function-body-comes-late.cpp
// CHECK-NEXT: end   TemplateInstantiation twice<int> {{.*}}.cpp:[[#@LINE-3]]:11 definition
// CHECK-NEXT: end   PendingInstantiations

// SUMMARY: "name":"twice<$>","kind":"TemplateInstantiation","count":1,"definitions":1,
