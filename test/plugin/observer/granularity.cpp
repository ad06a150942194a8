// What the observer saw for less than the granularity is a count and a sum on
// its parent, as with the callback. Nothing of the total is lost.
// RUN: %clang_instantrace -fplugin-arg-instantrace-hook=observer -fplugin-arg-instantrace-granularity=1000000 -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace verify %t
// RUN: instantrace dump %t | FileCheck %s
// RUN: instantrace summary --json -n 0 %t > %t.json
// RUN: %python -c "import json, sys; S = json.load(open(sys.argv[1])); assert sum(R['self_ns'] for R in S['rows']) == S['total_ns'] > 0" %t.json
template <class T> struct Inner {
  T Value;
};
template <class T> struct Outer {
  Inner<T> Member;
};
Outer<int> Use;
//      CHECK: begin TemplateInstantiation Outer<int>
// CHECK-NEXT: end   TemplateInstantiation Outer<int> {{.*}} definition {{.*}}elided 1
//  CHECK-NOT: TemplateInstantiation
