// Uses of a finished specialization are counted by default: for the interval
// around them and for the entity. They are no records.
// The observer hears of no hits.
// REQUIRES: callback
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump %t | FileCheck %s
template <class T> struct Box {
  T Value;
};
int First = sizeof(Box<int>);
template <class T> struct User {
  int Second = sizeof(Box<int>) + sizeof(T);
  Box<T> Third;
  Box<T> Fourth;
};
// CHECK-NOT: instant
//     CHECK: end TemplateInstantiation User<int> {{.*}} definition memoized [[#INSIDE:]]
//     CHECK: end FileInclusion {{.*}} memoized [[#OUTSIDE:]]
// CHECK-NOT: memoized
//     CHECK: end Frontend
//     CHECK: count Memoization Box<int> <no location> [[#BOX:]]
//     CHECK: count Memoization User<int> <no location> [[#OUTSIDE+INSIDE-BOX]]
User<int> Use;
