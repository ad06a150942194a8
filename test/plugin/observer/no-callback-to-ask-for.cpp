// Where Clang has no callback, asking for it is one warning, and probes record;
// so they do when nothing is asked for.
// REQUIRES: observer, probes
// RUN: rm -rf %t && mkdir %t
// RUN: %clang_instantrace -fplugin-arg-instantrace-hook=callback -fplugin-arg-instantrace-output=%t/callback -Werror -fsyntax-only %s 2> %t/err
// RUN: FileCheck %s --check-prefix=WARNING --match-full-lines < %t/err && count 1 < %t/err
// RUN: %clang_instantrace -fplugin-arg-instantrace-hook=auto -fplugin-arg-instantrace-output=%t/auto -fsyntax-only %s 2>&1 | count 0
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t/default -fsyntax-only %s 2>&1 | count 0
// RUN: instantrace dump --header %t/callback | FileCheck %s
// RUN: instantrace dump --header %t/auto | FileCheck %s
// RUN: instantrace dump --header %t/default | FileCheck %s
template <class T> struct Box {
  T Value;
};
Box<int> Use;
// WARNING: instantrace: warning: this Clang has no TemplateInstantiationCallback; hook=probes is used
// CHECK: hook: probes
// CHECK: TemplateInstantiation Box<int>
