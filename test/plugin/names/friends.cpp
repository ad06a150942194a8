// Friends that are defined in a class template.
// RUN: %python %S/Inputs/check-names.py %plugin %t %clangxx %s -std=c++17
// RUN: instantrace dump --no-phases %t.itrace | FileCheck %s
namespace ns {
template <class T> struct Box {
  friend bool same(Box, Box) { return true; }
  template <class U> friend int mixed(Box, U) { return 1; }
};
} // namespace ns
ns::Box<int> B;
// CHECK-DAG: begin TemplateInstantiation ns::same {{.*}}:[[#@LINE+1]]
bool First = same(B, B);
// CHECK-DAG: begin TemplateInstantiation ns::mixed<char> {{.*}}:[[#@LINE+1]]
int Second = mixed(B, 'c');
