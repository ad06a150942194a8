// A body that is instantiated inside its requester names none: it is where it
// stands.
// The observer's form is observer/requested-by-the-parent.cpp.
// REQUIRES: callback
// RUN: %clang_instantrace -std=c++14 -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump %t | FileCheck %s
template <class T> T late(T X) { return X; }
template <class T> T outer(T X) { return late(X); }
int Use = outer(1);
//      CHECK: begin PendingInstantiations
// CHECK-NEXT: begin TemplateInstantiation outer<int> {{.*}} requested by
//      CHECK: begin TemplateInstantiation late<int> {{.*}}.cpp:[[#@LINE-4]]:42{{$}}
// CHECK-NEXT: end   TemplateInstantiation late<int> {{.*}}.cpp:[[#@LINE-5]]:42
//      CHECK: begin TemplateInstantiation late<int> {{.*}}.cpp:[[#@LINE-6]]:42{{$}}
// CHECK-NEXT: end   TemplateInstantiation late<int> {{.*}}.cpp:[[#@LINE-7]]:42 definition
// CHECK-NEXT: end   TemplateInstantiation outer<int>
