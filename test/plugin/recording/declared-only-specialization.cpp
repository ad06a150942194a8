// A specialization that nobody needs the definition of is begun once, ends
// without one, and counts as one.
// Its place is known to the callback (observer/declared-only-specialization.cpp).
// REQUIRES: callback
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --no-phases %t | FileCheck %s
// RUN: instantrace summary --json -n 0 %t | FileCheck %s --check-prefix=SUMMARY
template <class T> T onlyDeclared(T X) { return X; }
using Type = decltype(onlyDeclared(1));
//      CHECK: begin TemplateInstantiation onlyDeclared<int> {{.*}}.cpp:[[#@LINE-1]]
// CHECK-NEXT: end   TemplateInstantiation onlyDeclared<int> {{.*}}.cpp:[[#@LINE-2]]:{{[0-9]+$}}
//  CHECK-NOT: onlyDeclared
//  CHECK-NOT: definition

// SUMMARY: "name":"onlyDeclared<$>","kind":"TemplateInstantiation","count":1,
