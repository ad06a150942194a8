// Every option can come from the environment; an argument has the last word.
// RUN: env INSTANTRACE_OUTPUT=%t.env INSTANTRACE_MEMOIZATION=off INSTANTRACE_EVENTS=-file INSTANTRACE_GRANULARITY=7 %clang_instantrace -fsyntax-only %s
// RUN: instantrace dump --header %t.env | FileCheck %s --check-prefix=ENV --implicit-check-not=FileInclusion
// RUN: env INSTANTRACE_OUTPUT=%t.env INSTANTRACE_MEMOIZATION=off INSTANTRACE_GRANULARITY=7 %clang_instantrace -fplugin-arg-instantrace-output=%t.arg -fplugin-arg-instantrace-granularity=9 -fsyntax-only %s
// RUN: instantrace dump --header %t.arg | FileCheck %s --check-prefix=ARG
// RUN: env INSTANTRACE_EMPTY=perhaps %clang_instantrace -fplugin-arg-instantrace-output=%t.arg -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=BAD
template <class T> struct Box {
  T Value;
};
Box<int> Use;
// ENV: memoization: off
// ENV: granularity: 7.00 µs
// ARG: memoization: off
// ARG: granularity: 9.00 µs
// ARG: begin FileInclusion
// BAD: instantrace: warning: invalid value 'perhaps' for option 'empty'; expected on or off
