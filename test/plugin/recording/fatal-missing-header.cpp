// A header that is not there is a fatal error; what came before it is recorded.
// RUN: not %clang_instantrace -fplugin-arg-instantrace-output=%t -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=DIAGNOSTIC
// RUN: instantrace verify %t
// RUN: instantrace dump --header %t | FileCheck %s
template <class T> struct Box {
  T Value;
};
Box<int> Use;
#include "missing.h"
Box<long> Never;
// DIAGNOSTIC: fatal error: 'missing.h' file not found
// CHECK: {{^}}exit: fatal error
// CHECK: end TemplateInstantiation Box<int> {{.*}} definition
