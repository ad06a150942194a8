// Requirements inside a requires-expression have no entity; they are recorded
// without a name, at their place.
// The observer sees none as short as these.
// REQUIRES: callback
// RUN: %clang_instantrace -std=c++20 -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace verify %t
// RUN: instantrace dump --no-phases %t | FileCheck %s
template <class T>
concept Small = requires(T X) {
  X + 1;
  requires sizeof(T) < 8;
};
static_assert(Small<int>);
//     CHECK: begin ConstraintsCheck Small
//     CHECK: begin RequirementInstantiation <unnamed> {{.*}}.cpp:[[#@LINE-5]]
//     CHECK: begin NestedRequirementConstraintsCheck <unnamed> {{.*}}.cpp:[[#@LINE-5]]
//     CHECK: end   NestedRequirementConstraintsCheck <unnamed>
//     CHECK: end   ConstraintsCheck Small
