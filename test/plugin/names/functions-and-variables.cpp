// Function, variable and alias templates.
// RUN: %python %S/Inputs/check-names.py %plugin %t %clangxx %s -std=c++17
// RUN: instantrace dump --no-phases %t.itrace | FileCheck %s
namespace ns {
template <class T> T function(T X) { return X; }
template <class T> constexpr unsigned Variable = sizeof(T);
template <class T> using Alias = T *;
struct Plain {
  template <class T> static constexpr int Member = 2;
};
} // namespace ns
// CHECK-DAG: TemplateInstantiation ns::function<const char *> {{.*}}:[[#@LINE+1]]
const char *First = ns::function("x");
// CHECK-DAG: TemplateInstantiation ns::Variable<double> {{.*}}:[[#@LINE+1]]
unsigned Second = ns::Variable<double>;
// CHECK-DAG: TemplateInstantiation ns::function<int *> {{.*}}:[[#@LINE+1]]
auto Third = ns::function(ns::Alias<int>());
// CHECK-DAG: TemplateInstantiation ns::Plain::Member<char> {{.*}}:[[#@LINE+1]]
int Fourth = ns::Plain::Member<char>;
