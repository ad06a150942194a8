// Probes are for x86-64. Elsewhere the observer records, the trace says why, and a
// warning does where they were asked for.
// REQUIRES: aarch64
// RUN: %clang_instantrace -fplugin-arg-instantrace-hook=probes -fplugin-arg-instantrace-output=%t -fsyntax-only %s 2> %t.err
// RUN: FileCheck %s --check-prefix=WARNING --match-full-lines < %t.err && count 1 < %t.err
// RUN: instantrace dump --header %t | FileCheck %s
template <class T> struct Box {
  T Value;
};
Box<int> Use;
// WARNING: instantrace: warning: hook=probes cannot be used (only on x86-64); hook=observer is used
// CHECK: hook: observer: only on x86-64
// CHECK: TemplateInstantiation Box<int>
