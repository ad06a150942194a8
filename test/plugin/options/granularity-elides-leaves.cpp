// Intervals below the granularity with none inside have no records: their parent
// counts them and keeps the sum of their times. Nothing of the total is lost.
// The observer has other leaves (observer/granularity.cpp).
// REQUIRES: callback
// RUN: %clang_instantrace -fplugin-arg-instantrace-granularity=1000000 -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace verify %t
// RUN: instantrace dump %t | FileCheck %s
// RUN: instantrace dump --format=textproto %t | FileCheck %s --check-prefix=FOOTER
// RUN: instantrace summary --json -n 0 %t > %t.json
// RUN: FileCheck %s --check-prefix=SUMMARY < %t.json
// RUN: %python -c "import json, sys; S = json.load(open(sys.argv[1])); assert sum(R['self_ns'] for R in S['rows']) == S['total_ns'] > 0" %t.json
template <class T> struct Inner {
  T Value;
};
template <class T> struct Outer {
  Inner<T> Member;
};
Outer<int> Use;
//      CHECK: begin TemplateInstantiation Outer<int>
// CHECK-NEXT: end   TemplateInstantiation Outer<int> {{.*}} definition {{.*}}elided 2
//  CHECK-NOT: TemplateInstantiation
//      CHECK: end FileInclusion {{.*}} elided 1
// FOOTER: events_elided: 6
// SUMMARY: "name":"(elided)",{{.*}}"count":3
