// REQUIRES: clang-ge-23 && callback
// What an expansion statement instantiates, once for each element, is a kind of its own.
// RUN: %clang_instantrace -std=c++26 -fsyntax-only %s -fplugin-arg-instantrace-output=%t
// RUN: %check_trace %t
// RUN: instantrace dump --kind ExpansionStmtInstantiation %t | FileCheck %s
template <class T> struct Box { T Value; };
constexpr int sum() {
  int Sum = 0;
  template for (constexpr int I : {1, 2, 3})
    Sum += Box<int>{I}.Value;
  return Sum;
}
static_assert(sum() == 6);
// CHECK-COUNT-3: begin {{ *}}ExpansionStmtInstantiation
// CHECK-NOT: begin
