// Packs of types and values: empty, long, several of them.
// RUN: %python %S/Inputs/check-names.py %plugin %t %clangxx %s -std=c++17
// RUN: instantrace dump --no-phases %t.itrace | FileCheck %s
template <class... T> struct Types {};
template <int... N> struct Values {};
template <class First, class... Rest> struct Both {};
template <class T> int use(T) { return 1; }
template <class... T, int... N> int two(Types<T...>, Values<N...>) { return 1; }
// CHECK-DAG: begin TemplateInstantiation use<Types<>>
int A = use(Types<>());
// CHECK-DAG: begin TemplateInstantiation use<Types<int, char, Types<>, Values<1, 2>>>
int B = use(Types<int, char, Types<>, Values<1, 2>>());
// CHECK-DAG: begin TemplateInstantiation two<int, char, 1, 2, 3>
int C = two(Types<int, char>(), Values<1, 2, 3>());
// CHECK-DAG: begin TemplateInstantiation two<>
int D = two(Types<>(), Values<>());
// CHECK-DAG: begin TemplateInstantiation use<Both<int>>
int E = use(Both<int>());
