// A conversion template is one template, whatever it converts to: its set has the type that its
// declaration has, and `why` finds it by that.
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t.itrace -std=c++20 -fsyntax-only %s
// RUN: instantrace summary -n 0 --csv %t.itrace | FileCheck %s --implicit-check-not="any::operator {{int|char|S}}" --implicit-check-not=type-parameter --implicit-check-not="Box<$>::operator {{char|int|Box<(long|short)}}"
// RUN: instantrace why %t.itrace 'any::operator T<$>' | FileCheck %s --check-prefix=WHY
// RUN: instantrace why %t.itrace "any::operator T" | FileCheck %s --check-prefix=WHY
// RUN: instantrace summary -n 0 --csv --by=specialization %t.itrace | FileCheck %s --check-prefix=EACH

// CHECK-DAG: any::operator T<$>,TemplateInstantiation,{{[0-9]+}},3,
// CHECK-DAG: any::operator T *<$>,TemplateInstantiation,{{[0-9]+}},2,
// CHECK-DAG: Box<$>::operator Box<V><$>,TemplateInstantiation,{{[0-9]+}},3,
// CHECK-DAG: Box<$>::operator U,TemplateInstantiation,{{[0-9]+}},2,
// WHY: any::operator T<$>
// EACH-DAG: any::operator int<int>,
// EACH-DAG: any::operator S<n::S>,
// EACH-DAG: Box<int>::operator Box<long>,
// EACH-DAG: Box<char>::operator char,
namespace n {
struct S {};
} // namespace n
struct any {
  template <class T> operator T() const { return {}; }
  template <class T> operator T *() const { return nullptr; }
};
template <class U> struct Box {
  template <class V> operator Box<V>() const { return {}; }
  operator U() const { return {}; }
};
int use(any A, Box<int> B, Box<char> C) {
  int I = A;
  char K = A;
  n::S S = A;
  int *P = A;
  char *Q = A;
  Box<long> L = B;
  Box<short> M = B, O = C;
  int J = B;
  char D = C;
  return I + K + (P != nullptr) + (Q != nullptr) + J + D;
}
