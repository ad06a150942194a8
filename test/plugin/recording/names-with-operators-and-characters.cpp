// Angle brackets and quotes that belong to a name do not disturb it or the
// name of its template.
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --no-phases %t | FileCheck %s
// RUN: instantrace summary --json --kind TemplateInstantiation -n 0 %t | FileCheck %s --check-prefix=SUMMARY
template <class T> struct Key {
  bool operator<(Key) const { return true; }
  bool operator>>(Key) const { return true; }
};
bool Less = Key<int>() < Key<int>();
bool Shift = Key<int>() >> Key<int>();
template <char C> struct Char {};
Char<'<'> Bracket;
Char<'"'> Quote;
Char<'\\'> Backslash;
// CHECK-DAG: TemplateInstantiation Char<'<'> {{.*}}.cpp:[[#@LINE-3]]
// CHECK-DAG: TemplateInstantiation Char<'"'> {{.*}}.cpp:[[#@LINE-3]]
// CHECK-DAG: TemplateInstantiation Char<'\\'> {{.*}}.cpp:[[#@LINE-3]]
// CHECK-DAG: TemplateInstantiation Key<int>::operator< {{.*}} definition
// CHECK-DAG: TemplateInstantiation Key<int>::operator>> {{.*}} definition

// SUMMARY-DAG: "name":"Char<$>","kind":"TemplateInstantiation","count":3,
// SUMMARY-DAG: "name":"Key<$>::operator<","kind":"TemplateInstantiation","count":1,
// SUMMARY-DAG: "name":"Key<$>::operator>>","kind":"TemplateInstantiation","count":1,
