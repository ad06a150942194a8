// With memoization=events each hit is an instant with its place, and neither
// ends nor the end of the dump have counts.
// The observer hears of no hits.
// REQUIRES: callback
// RUN: %clang_instantrace -fplugin-arg-instantrace-memoization=events -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --no-phases %t | FileCheck %s --implicit-check-not="count Memo" --implicit-check-not="{{ memoized [0-9]}}"
// RUN: instantrace summary --json -n 0 %t | FileCheck %s --check-prefix=SUMMARY
template <class T> struct Box {
  T Value;
};
int First = sizeof(Box<int>);
// CHECK: end TemplateInstantiation Box<int> {{.*}} definition
int Second = sizeof(Box<int>);
// CHECK: instant Memoization Box<int> {{.*}}.cpp:[[#@LINE-1]]

// SUMMARY: "name":"Box<$>","kind":"TemplateInstantiation","count":1,{{.*}}"memoized":{{[1-9]}}
