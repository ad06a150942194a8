// Enumerators as arguments, and values that have none.
// RUN: %python %S/Inputs/check-names.py %plugin %t %clangxx %s -std=c++17
// RUN: instantrace dump --no-phases %t.itrace | FileCheck %s
namespace ns {
enum Old { OldZero, OldOne };
enum Bits : int { One = 1, Two = 2 };
enum class Scoped : char { Zero, One };
template <class T> struct Holder {
  enum Inner { Value = 3 };
};
} // namespace ns
enum { Unnamed = 5 };
template <auto V> int use() { return 1; }
template <ns::Bits V> int useBits() { return 1; }
// CHECK-DAG: begin TemplateInstantiation use<ns::OldOne>
int A = use<ns::OldOne>();
// CHECK-DAG: begin TemplateInstantiation use<ns::Scoped::One>
int B = use<ns::Scoped::One>();
// CHECK-DAG: begin TemplateInstantiation use<Unnamed>
int C = use<Unnamed>();
// CHECK-DAG: begin TemplateInstantiation use<ns::Holder<int>::Value>
int D = use<ns::Holder<int>::Value>();
// CHECK-DAG: begin TemplateInstantiation use<(ns::Scoped)9>
int E = use<static_cast<ns::Scoped>(9)>();
// CHECK-DAG: begin TemplateInstantiation useBits<{{(\(ns::Bits\))?}}3>
int F = useBits<static_cast<ns::Bits>(3)>();
int local() {
  enum Local { InFunction };
  return use<InFunction>();
}
// CHECK-DAG: begin TemplateInstantiation use<{{.*}}InFunction>
