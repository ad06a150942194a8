// A specialization that nobody needs the definition of is begun once, ends
// without one, and counts as one, though the observer never saw it in progress.
// RUN: %clang_instantrace -fplugin-arg-instantrace-hook=observer -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --kind TemplateInstantiation %t | FileCheck %s --implicit-check-not=definition
// RUN: instantrace summary --json --kind TemplateInstantiation -n 0 %t | FileCheck %s --check-prefix=SUMMARY
template <class T> T onlyDeclared(T X) { return X; }
using Type = decltype(onlyDeclared(1));
//      CHECK: begin TemplateInstantiation onlyDeclared<int> {{.*}}.cpp:[[#@LINE-1]]
// CHECK-NEXT: end   TemplateInstantiation onlyDeclared<int>
//  CHECK-NOT: TemplateInstantiation

// SUMMARY: "name":"onlyDeclared<$>","kind":"TemplateInstantiation","count":1,"definitions":0,
