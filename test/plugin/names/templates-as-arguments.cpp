// Templates as arguments, also of templates as arguments.
// RUN: %python %S/Inputs/check-names.py %plugin %t %clangxx %s -std=c++17
// RUN: instantrace dump --no-phases %t.itrace | FileCheck %s
namespace ns {
template <class T> struct Box {};
template <template <class> class Of> struct Apply {};
template <template <template <class> class> class Of> struct Twice {};
struct Holder {
  template <class T> struct Member {};
};
} // namespace ns
template <class T> int use(T) { return 1; }
// CHECK-DAG: begin TemplateInstantiation use<ns::Apply<{{(ns::)?}}Box>>
int A = use(ns::Apply<ns::Box>());
// CHECK-DAG: begin TemplateInstantiation use<ns::Twice<{{(ns::)?}}Apply>>
int B = use(ns::Twice<ns::Apply>());
// CHECK-DAG: begin TemplateInstantiation use<ns::Apply<{{(ns::Holder::)?}}Member>>
int C = use(ns::Apply<ns::Holder::Member>());
