// Anonymous namespaces, and inline ones where they are needed to tell names apart.
// RUN: %python %S/Inputs/check-names.py %plugin %t %clangxx %s -std=c++17
// RUN: instantrace dump --no-phases %t.itrace | FileCheck %s
namespace ns {
namespace {
template <class T> int hidden(T) { return 1; }
} // namespace
inline namespace v1 {
template <class T> int plain(T) { return 1; }
template <class T> int twice(T) { return 1; }
} // namespace v1
template <class T, class U> int twice(T, U) { return 1; }
} // namespace ns
// CHECK-DAG: begin TemplateInstantiation ns::(anonymous namespace)::hidden<int> {{.*}}:[[#@LINE+1]]
int A = ns::hidden(1);
// CHECK-DAG: begin TemplateInstantiation ns::plain<int> {{.*}}:[[#@LINE+1]]
int B = ns::plain(1);
// CHECK-DAG: begin TemplateInstantiation ns::v1::twice<int> {{.*}}:[[#@LINE+1]]
int C = ns::twice(1);
