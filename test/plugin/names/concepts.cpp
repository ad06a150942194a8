// Concepts and constrained templates.
// The observer sees no checks as short as these.
// REQUIRES: callback
// RUN: %python %S/Inputs/check-names.py %plugin %t %clangxx %s -std=c++20
// RUN: instantrace dump --no-phases %t.itrace | FileCheck %s
namespace ns {
template <class T> concept Small = sizeof(T) < 8;
template <class T, class U> concept Convertible = requires(T X) { U(X); };
template <Small T> struct Box {};
template <class T>
  requires Convertible<T, long>
int use(T) {
  return 1;
}
} // namespace ns
// CHECK-DAG: ns::Small
// CHECK-DAG: begin TemplateInstantiation ns::use<int> {{.*}}:[[#@LINE+1]]
int First = ns::use(1);
// CHECK-DAG: ns::Box
ns::Box<char> Second;
