// A variable template is declared where it is used; its initializer is
// instantiated where its value is needed, and that completes the definition.
// RUN: %clang_instantrace -std=c++17 -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --no-phases --kind TemplateInstantiation %t | FileCheck %s
// RUN: instantrace summary --json -n 0 %t | FileCheck %s --check-prefix=SUMMARY
template <class T> constexpr unsigned Width = sizeof(T);
static_assert(Width<int> != 0);
// CHECK: end TemplateInstantiation Width<int> {{.*}} definition
// SUMMARY: "name":"Width<$>","kind":"TemplateInstantiation","count":1,
