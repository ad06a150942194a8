// What opens a list of arguments is marked, also after an operator's `<`.
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --format=textproto %t | FileCheck %s
struct X {};
template <class T> bool operator<(X, T) { return true; }
bool Use = X() < 1;
// CHECK:      marked_name: "operator<<"
// CHECK-NEXT: part: NAME_PART_TEMPLATE_HEAD
