// With granularity 0, the default, nothing is elided.
// RUN: %clang_instantrace -fplugin-arg-instantrace-granularity=0 -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --header %t | FileCheck %s --implicit-check-not="{{ elided [0-9]}}"
// RUN: instantrace summary --json -n 0 %t | FileCheck %s --check-prefix=SUMMARY --implicit-check-not="(elided)"
template <class T> struct Box {
  T Value;
};
Box<int> Use;
// CHECK: {{^}}elided: 0 events
// CHECK: end TemplateInstantiation Box<int> {{.*}} definition
// SUMMARY: "name":"Box<$>"
