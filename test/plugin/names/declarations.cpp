// Objects, functions and members as arguments.
// RUN: %python %S/Inputs/check-names.py %plugin %t %clangxx %s -std=c++17
// RUN: instantrace dump --no-phases %t.itrace | FileCheck %s
namespace ns {
int Object;
int Array[3];
void function(int);
struct Class {
  int Field;
  static int Static;
  void method() const;
};
template <class T> struct Holder {
  static int Static;
};
} // namespace ns
template <auto V> int use() { return 1; }
template <int &R> int useReference() { return 1; }
template <int (&R)[3]> int useArray() { return 1; }
// CHECK-DAG: begin TemplateInstantiation use<&ns::Object>
int A = use<&ns::Object>();
// CHECK-DAG: begin TemplateInstantiation useReference<ns::Object>
int B = useReference<ns::Object>();
// CHECK-DAG: begin TemplateInstantiation use<&ns::function>
int C = use<&ns::function>();
// CHECK-DAG: begin TemplateInstantiation use<&ns::Class::Field>
int D = use<&ns::Class::Field>();
// CHECK-DAG: begin TemplateInstantiation use<&ns::Class::method>
int E = use<&ns::Class::method>();
// CHECK-DAG: begin TemplateInstantiation use<&ns::Class::Static>
int F = use<&ns::Class::Static>();
// CHECK-DAG: begin TemplateInstantiation useArray<ns::Array>
int G = useArray<ns::Array>();
// CHECK-DAG: begin TemplateInstantiation use<&ns::Holder<int>::Static>
int H = use<&ns::Holder<int>::Static>();
