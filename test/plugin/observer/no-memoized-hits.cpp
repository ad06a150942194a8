// The observer hears of no memoized hits: whatever is asked for, there are none.
// RUN: %clang_instantrace -fplugin-arg-instantrace-hook=observer -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --header %t | FileCheck %s --implicit-check-not="{{Memoization|memoized [0-9]}}"
// RUN: %clang_instantrace -fplugin-arg-instantrace-hook=observer -fplugin-arg-instantrace-memoization=events -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --header %t | FileCheck %s --implicit-check-not="{{Memoization|memoized [0-9]}}"
template <class T> struct Box {
  T Value;
};
int First = sizeof(Box<int>), Second = sizeof(Box<int>);
// CHECK: memoization: off
// CHECK: end TemplateInstantiation Box<int>
