// A list whose first name has no sign starts from nothing; the whole of the
// frontend stays, as the total that the rest is a share of.
// The observer has other events (observer/kinds-are-filtered.cpp).
// REQUIRES: callback
// RUN: %clang_instantrace -fplugin-arg-instantrace-events=template-instantiation -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace verify %t
// RUN: instantrace dump %t | FileCheck %s
template <class T> T twice(T X) { return X + X; }
int Use = twice(1);
//      CHECK: begin Frontend
// CHECK-NEXT: begin TemplateInstantiation twice<int> {{.*}}.cpp:[[#@LINE-2]]:11
// CHECK-NEXT: end   TemplateInstantiation twice<int> {{.*}}.cpp:[[#@LINE-3]]:11
// CHECK-NEXT: begin TemplateInstantiation twice<int> {{.*}}.cpp:[[#@LINE-4]]:11
// CHECK-NEXT: end   TemplateInstantiation twice<int> {{.*}}.cpp:[[#@LINE-5]]:11 definition
// CHECK-NEXT: end Frontend
//  CHECK-NOT: {{^}}begin
