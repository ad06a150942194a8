// A runaway recursion ends in a fatal error with every frame open; all of them
// are closed in the trace.
// RUN: not %clang_instantrace -ftemplate-depth=20 -fplugin-arg-instantrace-output=%t -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=DIAGNOSTIC
// RUN: instantrace verify %t
// RUN: instantrace dump --header %t | FileCheck %s
template <int N> struct Runaway {
  Runaway<N + 1> Next;
};
Runaway<0> Use;
// DIAGNOSTIC: fatal error: recursive template instantiation exceeded maximum depth of 20
// CHECK: {{^}}exit: fatal error
// CHECK: begin TemplateInstantiation Runaway<19>
// CHECK: end   TemplateInstantiation Runaway<19>
// CHECK: end TemplateInstantiation Runaway<0>
// CHECK: end Frontend
