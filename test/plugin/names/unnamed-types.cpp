// Structures, unions and enumerations without a name.
// RUN: %python %S/Inputs/check-names.py %plugin %t %clangxx %s -std=c++17
// RUN: instantrace dump --no-phases %t.itrace | FileCheck %s
namespace ns {
struct {
  int Field;
} Object;
typedef struct {
  int Field;
} Named;
struct Outer {
  union {
    int Field;
  } Inner;
};
enum { Zero };
} // namespace ns
template <class T> int use(T X) { return sizeof(X); }
// CHECK-DAG: begin TemplateInstantiation use<ns::(unnamed struct at {{.*}}:5:1)>
int A = use(ns::Object);
// CHECK-DAG: begin TemplateInstantiation use<ns::Named>
int B = use(ns::Named());
// CHECK-DAG: begin TemplateInstantiation use<ns::Outer::(unnamed union at {{.*}}:12:3)>
int C = use(ns::Outer().Inner);
// CHECK-DAG: begin TemplateInstantiation use<ns::(unnamed enum at {{.*}}:16:1)>
int D = use(ns::Zero);
// CHECK-DAG: begin TemplateInstantiation use<ns::(unnamed struct at {{.*}}:5:1) *>
int E = use(&ns::Object);
