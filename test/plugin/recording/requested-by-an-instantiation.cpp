// A function body that is put off inside an instantiation says which one asked
// for it.
// RUN: %clang_instantrace -std=c++14 -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump %t | FileCheck %s
template <class T> T late(T X) { return X; }
template <class T> struct Holder {
  T Value;
  auto deduced() { return late(Value); } // its body is needed at once
};
Holder<int> H;
int Use = H.deduced();
//      CHECK: begin PendingInstantiations
// CHECK-NEXT: begin TemplateInstantiation late<int> {{.*}}.cpp:[[#@LINE-5]]:27 requested by Holder<int>::deduced {{.*}}.cpp:[[#@LINE-2]]
// CHECK-NEXT: end   TemplateInstantiation late<int> {{.*}}.cpp:[[#@LINE-6]]:27 definition
// CHECK-NEXT: end   PendingInstantiations
