// Lambdas in functions, in default arguments and in lambdas, by their location.
// RUN: %python %S/Inputs/check-names.py %plugin %t %clangxx %s -std=c++20
// RUN: instantrace dump --no-phases %t.itrace | FileCheck %s
template <class T> int use(T X) { return sizeof(X); }
inline int defaulted(int X = use([] { return 1; })) { return X; }
int in(long) {
  auto Generic = [](auto X) {
    return use([X](int) { return X; });
  };
  return use(Generic) + Generic(1L) + defaulted();
}
// CHECK-DAG: begin TemplateInstantiation use<(lambda at {{.*}}lambdas.cpp:5:34)>
// CHECK-DAG: begin TemplateInstantiation use<(lambda at {{.*}}lambdas.cpp:7:18)>
// CHECK-DAG: begin TemplateInstantiation use<(lambda at {{.*}}lambdas.cpp:8:16)>
// CHECK-DAG: begin TemplateInstantiation in(long)::({{anonymous class|lambda}})::operator()<long>
