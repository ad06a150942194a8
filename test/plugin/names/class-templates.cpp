// Class templates, nested classes, members of members.
// RUN: %python %S/Inputs/check-names.py %plugin %t %clangxx %s -std=c++17
// RUN: instantrace dump --no-phases %t.itrace | FileCheck %s
namespace ns {
template <class T> struct Outer {
  struct Inner {
    T Value;
    T get() { return Value; }
  };
  template <class U> struct Member {
    U Value;
    template <class V> int of(V) { return 1; }
  };
};
} // namespace ns
// CHECK-DAG: TemplateInstantiation ns::Outer<int> {{.*}}:[[#@LINE+1]]
ns::Outer<int>::Inner First;
// CHECK-DAG: TemplateInstantiation ns::Outer<int>::Inner::get {{.*}}:[[#@LINE+1]]
int Second = First.get();
// CHECK-DAG: TemplateInstantiation ns::Outer<char>::Member<long> {{.*}}:[[#@LINE+1]]
ns::Outer<char>::Member<long> Third;
// CHECK-DAG: TemplateInstantiation ns::Outer<char>::Member<long>::of<ns::Outer<int>::Inner *> {{.*}}:[[#@LINE+1]]
int Fourth = Third.of(&First);
