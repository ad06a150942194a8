// The option memoization is about hits alone and so overrules a kind in events.
// The observer hears of no hits.
// REQUIRES: callback
// RUN: %clang_instantrace -fplugin-arg-instantrace-memoization=count -fplugin-arg-instantrace-events=all -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --header %t | FileCheck %s --implicit-check-not="instant Memoization"
template <class T> struct Box {
  T Value;
};
int First = sizeof(Box<int>), Second = sizeof(Box<int>);
// CHECK: memoization: count
// CHECK: count Memoization Box<int>
