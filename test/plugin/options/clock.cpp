// The trace says what its times were read from: the processor's counter where the
// kernel goes by it, and otherwise why not.
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t.auto -fsyntax-only %s
// RUN: instantrace dump --header %t.auto | FileCheck %s --check-prefix=AUTO
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t.monotonic -fplugin-arg-instantrace-clock=monotonic -fsyntax-only %s
// RUN: instantrace dump --header %t.monotonic | FileCheck %s --check-prefix=MONOTONIC
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t.auto -fplugin-arg-instantrace-clock=sun -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=BAD
template <class T> struct Box {
  T Value;
};
Box<int> Use;
// AUTO: {{^}}clock: {{tsc$|monotonic: .+}}
// AUTO: begin TemplateInstantiation Box<int>
// MONOTONIC: {{^}}clock: monotonic{{$}}
// MONOTONIC: begin TemplateInstantiation Box<int>
// BAD: instantrace: warning: invalid value 'sun' for option 'clock'; expected auto or monotonic
