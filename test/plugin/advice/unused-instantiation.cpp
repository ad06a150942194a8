// A class template of which each specialization is asked once is advised to be
// none; one that is asked again is not.
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -std=c++17 -fsyntax-only %s
// RUN: instantrace advise -v --only=unused-instantiation --min-share=0 %t | FileCheck %s
template <int N> struct Once { enum { value = N }; };
template <int N> struct Again { enum { value = N }; };
template <class T, T... N> struct Numbers {};
template <int... N> int all(Numbers<int, N...>) {
  return (Once<N>::value + ...) + (sizeof(Again<N>) + ...) +
         (sizeof(Again<N>) + ...);
}
int use() { return all(__make_integer_seq<Numbers, int, 40>()); }
// CHECK: 1 suggestion for
// CHECK: Replace Once<$>, used once for each type
// CHECK: 40 specializations that are used once, such as Once<{{[0-9]+}}>
// CHECK: at {{.*}}unused-instantiation.cpp:[[#@LINE-11]]
