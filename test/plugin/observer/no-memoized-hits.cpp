// The observer hears of no memoized hits: whatever is asked for, there are none,
// and who asks for them by name is told.
// RUN: %clang_instantrace -fplugin-arg-instantrace-hook=observer -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --header %t | FileCheck %s --implicit-check-not="{{Memoization|memoized [0-9]}}"
// RUN: %clang_instantrace -fplugin-arg-instantrace-hook=observer -fplugin-arg-instantrace-memoization=events -fplugin-arg-instantrace-output=%t -fsyntax-only %s 2> %t.err
// RUN: FileCheck %s --check-prefix=WARNING --match-full-lines < %t.err && count 1 < %t.err
// RUN: instantrace dump --header %t | FileCheck %s --implicit-check-not="{{Memoization|memoized [0-9]}}"
template <class T> struct Box {
  T Value;
};
int First = sizeof(Box<int>), Second = sizeof(Box<int>);
// WARNING: instantrace: warning: hook=observer does not see memoized hits; this profile has none
// CHECK: memoization: off
// CHECK: end TemplateInstantiation Box<int>
