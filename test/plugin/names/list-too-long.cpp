// A list of more than 65,536 arguments is named by its first and by how many more there are.
// RUN: %clang_instantrace -std=c++17 -fplugin-arg-instantrace-output=%t -fplugin-arg-instantrace-check-names=%t.names -fsyntax-only %s
// RUN: instantrace dump %t | FileCheck %s
// RUN: FileCheck --check-prefix=NAMES --input-file=%t.names %s
template <class T, T... I> struct Numbers {};
template <int N> using Make = __make_integer_seq<Numbers, int, N>;
template <class T> struct Use {};
template struct Use<Make<65536>>;
// CHECK: begin TemplateInstantiation Use<Numbers<int, 0, 1, 2, 3, {{.*}}:[[#@LINE-1]]
template struct Use<Make<65537>>;
// CHECK: begin TemplateInstantiation Use<Numbers<int, 0, … 65,536 more>> {{.*}}:[[#@LINE-1]]
// NAMES: not compared: 0 renamed by Clang since, {{[1-9]}} too large to print
// NAMES: entities, 0 differences
