// hook= says which hook records, also in the environment, and the trace names it.
// RUN: rm -rf %t && mkdir %t
// RUN: %clang_instantrace -fplugin-arg-instantrace-hook=observer -fplugin-arg-instantrace-output=%t/observer -fsyntax-only %s 2>&1 | count 0
// RUN: instantrace dump --header %t/observer | FileCheck %s --check-prefix=OBSERVER
// RUN: env INSTANTRACE_HOOK=observer %clang_instantrace -fplugin-arg-instantrace-output=%t/variable -fsyntax-only %s 2>&1 | count 0
// RUN: instantrace dump --header %t/variable | FileCheck %s --check-prefix=OBSERVER
// RUN: %clang_instantrace -fplugin-arg-instantrace-hook=none -fplugin-arg-instantrace-output=%t/invalid -Werror -fsyntax-only %s 2> %t/err
// RUN: FileCheck %s --match-full-lines < %t/err && count 1 < %t/err
// RUN: instantrace verify %t/invalid
template <class T> struct Box {
  T Value;
};
Box<int> Use;
// OBSERVER: hook: observer
// OBSERVER: TemplateInstantiation Box<int>
// CHECK: instantrace: warning: invalid value 'none' for option 'hook'; expected auto, callback, probes or observer
