// Arguments that the source leaves to their defaults are written out on request.
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --default-args --no-phases %t | FileCheck %s
template <class T> struct Allocator {};
template <class T, class A = Allocator<T>, int Size = 4> struct Vector {
  T *Begin;
};
Vector<long> Use;
// CHECK: begin TemplateInstantiation Vector<long, Allocator<long>, 4> {{.*}}.cpp:[[#@LINE-1]]
// CHECK: end   TemplateInstantiation Vector<long, Allocator<long>, 4> {{.*}} definition
