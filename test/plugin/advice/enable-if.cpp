// Overloads that are told apart by enable_if are advised to be constrained; the
// same with a type to tell them apart are not.
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -std=c++17 -fsyntax-only %s
// RUN: instantrace advise -v --only=enable-if --min-share=0 %t | FileCheck %s --implicit-check-not="condition of quiet"
#include <type_traits>
#include <utility>
template <int N> using Int = std::integral_constant<int, N>;
template <class T, std::enable_if_t<T::value == 0, int> = 0> int choose(T);
template <class T, std::enable_if_t<T::value != 0, int> = 0> int choose(T);
template <class T> int quiet(T, std::true_type);
template <class T> int quiet(T, std::false_type);
template <int... N> int all(std::integer_sequence<int, N...>) {
  return ((sizeof(choose(Int<N>())) + sizeof(quiet(N, std::bool_constant<N == 0>()))) + ...);
}
int use() { return all(std::make_integer_sequence<int, 16>()); }
// CHECK: Make the condition of choose a requires-clause
// CHECK: 32 tries of candidates
// CHECK: at {{.*}}enable-if.cpp:{{[0-9]+$}}
// CHECK: requires (condition<T>)
