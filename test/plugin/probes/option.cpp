// The trace says that probes recorded it. A class is two pairs, as with the
// callback, and a declaration that is never defined is timed.
// REQUIRES: probes
// RUN: %clang_instantrace -fplugin-arg-instantrace-hook=probes -fplugin-arg-instantrace-output=%t -fsyntax-only %s 2>&1 | count 0
// RUN: instantrace verify %t
// RUN: instantrace dump --header %t | FileCheck %s --check-prefix=HEADER
// RUN: instantrace dump --kind TemplateInstantiation %t | FileCheck %s
template <class T> struct Box {
  T Value;
};
Box<int> One;
template <class T> T onlyDeclared(T X) { return X; }
using Type = decltype(onlyDeclared(1));
// HEADER: hook: probes
// HEADER: memoization: off
//      CHECK: begin TemplateInstantiation Box<int>
// CHECK-NEXT: end   TemplateInstantiation Box<int> {{.*}}:[[#@LINE-6]]:10{{$}}
// CHECK-NEXT: begin TemplateInstantiation Box<int>
// CHECK-NEXT: end   TemplateInstantiation Box<int> {{.*}}:[[#@LINE-8]]:10 definition
// CHECK-NEXT: begin TemplateInstantiation onlyDeclared<int> {{.*}}:[[#@LINE-7]]
// CHECK-NEXT: end   TemplateInstantiation onlyDeclared<int>
//  CHECK-NOT: TemplateInstantiation
