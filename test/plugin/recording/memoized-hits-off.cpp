// With memoization=off hits are neither counted nor recorded.
// RUN: %clang_instantrace -fplugin-arg-instantrace-memoization=off -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --no-phases %t | FileCheck %s --implicit-check-not=Memoization --implicit-check-not="{{ memoized [0-9]}}" --implicit-check-not=instant --implicit-check-not="count Memo"
// RUN: instantrace dump --format=textproto %t | FileCheck %s --check-prefix=FOOTER
template <class T> struct Box {
  T Value;
};
int First = sizeof(Box<int>);
int Second = sizeof(Box<int>);
// CHECK: end TemplateInstantiation Box<int> {{.*}} definition

//     FOOTER: memoization: MEMOIZATION_OFF
// FOOTER-NOT: memoized_hits
