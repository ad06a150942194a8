// The parameters of a requires-expression have a kind of their own since
// Clang 16.
// The observer sees none as short as these.
// REQUIRES: clang-ge-16 && callback
// RUN: %clang_instantrace -std=c++20 -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --no-phases %t | FileCheck %s
template <class T>
concept Addable = requires(T X) { X + 1; };
static_assert(Addable<int>);
//      CHECK: begin RequirementParameterInstantiation <unnamed> {{.*}}.cpp:[[#@LINE-2]]
// CHECK-NEXT: end   RequirementParameterInstantiation <unnamed> {{.*}}.cpp:[[#@LINE-3]]
