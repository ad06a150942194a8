// Memoization is not in the default; with a plus each hit is an event.
// The observer hears of no hits.
// REQUIRES: callback
// RUN: %clang_instantrace -fplugin-arg-instantrace-events=default,+memoization -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --header %t | FileCheck %s
// RUN: %clang_instantrace -fplugin-arg-instantrace-memoization=events -fplugin-arg-instantrace-output=%t.other -fsyntax-only %s
// RUN: instantrace dump %t > %t.events
// RUN: instantrace dump %t.other | diff %t.events -
template <class T> struct Box {
  T Value;
};
int First = sizeof(Box<int>);
int Second = sizeof(Box<int>);
// CHECK: memoization: events
// CHECK: begin Parsing
// CHECK: begin FileInclusion
// CHECK: instant Memoization Box<int> {{.*}}.cpp:[[#@LINE-4]]
