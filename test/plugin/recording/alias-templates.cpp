// Naming a specialization of an alias template is an interval of its own kind
// since Clang 19. A dependent one names no specialization yet.
// The observer sees none as short as these.
// REQUIRES: clang-ge-19 && callback
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --no-phases --kind TypeAliasTemplateInstantiation %t | FileCheck %s
// RUN: instantrace summary --json -n 0 %t | FileCheck %s --check-prefix=SUMMARY
template <class T> using Pointer = T *;
Pointer<int> First;
//      CHECK: begin TypeAliasTemplateInstantiation Pointer {{.*}}.cpp:[[#@LINE-1]]:1
// CHECK-NEXT: end   TypeAliasTemplateInstantiation Pointer {{.*}}.cpp:[[#@LINE-2]]:1
Pointer<int> Again;
// CHECK-NEXT: begin TypeAliasTemplateInstantiation Pointer {{.*}}.cpp:[[#@LINE-1]]:1
// CHECK-NEXT: end   TypeAliasTemplateInstantiation Pointer {{.*}}.cpp:[[#@LINE-2]]:1
//  CHECK-NOT: {{.}}

// SUMMARY: "name":"Pointer","kind":"TypeAliasTemplateInstantiation","count":2,
