// The observer records the kinds that are asked for, and no others.
// RUN: %clang_instantrace -fplugin-arg-instantrace-hook=observer -fplugin-arg-instantrace-events=template-instantiation -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace verify %t
// RUN: instantrace dump %t | FileCheck %s --implicit-check-not="begin {{[^FT]}}" --implicit-check-not=FileInclusion
template <class T> T twice(T X) { return X + X; }
int Use = twice(1);
//      CHECK: begin Frontend
//      CHECK: begin TemplateInstantiation twice<int> {{.*}}.cpp:[[#@LINE-2]]:11
//      CHECK: end   TemplateInstantiation twice<int> {{.*}}.cpp:[[#@LINE-3]]:11 definition
// CHECK-NEXT: end   Frontend
