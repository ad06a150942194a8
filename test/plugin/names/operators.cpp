// Operators, conversions and literals.
// RUN: %python %S/Inputs/check-names.py %plugin %t %clangxx %s -std=c++20
// RUN: instantrace dump --no-phases %t.itrace | FileCheck %s
namespace ns {
template <class T> struct Box {
  T *operator->() { return nullptr; }
  template <class U> int operator()(U) { return 1; }
  template <class U> operator U *() { return nullptr; }
  operator const T *() const { return nullptr; }
  T &operator[](int);
};
template <class T> bool operator<(Box<T>, Box<T>) { return true; }
template <class T> bool operator<<(Box<T>, T) { return true; }
template <char... C> int operator""_digits() { return sizeof...(C); }
} // namespace ns
ns::Box<int> B;
// CHECK-DAG: begin TemplateInstantiation ns::Box<int>::operator-> {{.*}}:[[#@LINE+1]]
int *A = B.operator->();
// CHECK-DAG: begin TemplateInstantiation ns::Box<int>::operator()<long> {{.*}}:[[#@LINE+1]]
int C = B(1L);
// CHECK-DAG: begin TemplateInstantiation ns::Box<int>::operator double *<double> {{.*}}:[[#@LINE+1]]
double *D = B;
// CHECK-DAG: begin TemplateInstantiation ns::Box<int>::operator const int * {{.*}}:[[#@LINE+1]]
const int *E = static_cast<const ns::Box<int> &>(B);
// CHECK-DAG: begin TemplateInstantiation ns::operator<<int> {{.*}}:[[#@LINE+1]]
bool F = B < B;
// CHECK-DAG: begin TemplateInstantiation ns::operator<<<int> {{.*}}:[[#@LINE+1]]
bool G = B << 1;
using namespace ns;
// CHECK-DAG: begin TemplateInstantiation ns::operator""_digits<'1', '2'> {{.*}}:[[#@LINE+1]]
int H = 12_digits;
