// The two halves of a >> are tokens of their own, but in no macro.
// The observer sees no check as short as this.
// REQUIRES: callback
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --no-phases %t | FileCheck %s --implicit-check-not="(macro"
template <class T> struct Box { T Value; };
template <class T, unsigned N = 0> struct Two { T Value; };
Box<Two<int>> Use;
// CHECK: begin DefaultTemplateArgumentChecking {{.*}}closing-angles.cpp:[[#@LINE-1]]:12{{$}}
