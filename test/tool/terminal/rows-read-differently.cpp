// Names are shortened where they agree, and not where they differ.
// REQUIRES: plugin
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -std=c++17 -fsyntax-only %s
// RUN: env COLUMNS=120 instantrace summary --by=specialization -n 0 %t | FileCheck %s
template <class T> struct MatcherBaseOfSomething { T *Value; };
template <class A, class B> struct SomethingWithManyParameters {};
template <int N> struct Number {};
template <int N> using Same = SomethingWithManyParameters<Number<1>, Number<2>>;
template <class T> int use() { return sizeof(MatcherBaseOfSomething<SomethingWithManyParameters<Same<0>, T>>); }
int All = use<Number<10>>() + use<Number<20>>() + use<char>();
// CHECK-DAG: MatcherBaseOfSomething<…Number<10>>>
// CHECK-DAG: MatcherBaseOfSomething<…Number<20>>>
// CHECK-DAG: MatcherBaseOfSomething<…char>>
