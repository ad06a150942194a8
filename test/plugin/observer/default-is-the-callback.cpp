// Where Clang has the callback, it records unless the observer is asked for.
// REQUIRES: callback
// RUN: rm -rf %t && mkdir %t
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t/default -fsyntax-only %s 2>&1 | count 0
// RUN: %clang_instantrace -fplugin-arg-instantrace-hook=auto -fplugin-arg-instantrace-output=%t/auto -fsyntax-only %s 2>&1 | count 0
// RUN: %clang_instantrace -fplugin-arg-instantrace-hook=callback -fplugin-arg-instantrace-output=%t/callback -fsyntax-only %s 2>&1 | count 0
// RUN: env INSTANTRACE_HOOK=observer %clang_instantrace -fplugin-arg-instantrace-hook=callback -fplugin-arg-instantrace-output=%t/variable -fsyntax-only %s 2>&1 | count 0
// RUN: instantrace dump --header %t/default | FileCheck %s
// RUN: instantrace dump --header %t/auto | FileCheck %s
// RUN: instantrace dump --header %t/callback | FileCheck %s
// RUN: instantrace dump --header %t/variable | FileCheck %s
template <class T> struct Box {
  T Value;
};
Box<int> Use;
// CHECK: hook: callback
// CHECK: TemplateInstantiation Box<int>
