// A compile with errors is profiled like any other, and the trace says so.
// RUN: not %clang_instantrace -fplugin-arg-instantrace-output=%t -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=DIAGNOSTIC
// RUN: instantrace verify %t
// RUN: instantrace dump --header %t | FileCheck %s
template <class T> struct Box {
  typename T::Type Value;
};
Box<int> Use;
// DIAGNOSTIC: [[#@LINE-3]]:12: error: type 'int' cannot be used prior to '::'
// DIAGNOSTIC: 1 error generated
// CHECK: {{^}}exit: errors
// CHECK: end TemplateInstantiation Box<int> {{.*}} definition
