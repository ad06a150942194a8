// A name that is no kind is one warning that lists those there are; the rest of
// the list holds and the compile goes on.
// RUN: rm -f %t.o
// RUN: %clang_instantrace -Werror -fplugin-arg-instantrace-events=-constraints,-file -fplugin-arg-instantrace-output=%t -c %s -o %t.o 2> %t.err
// RUN: FileCheck %s --match-full-lines < %t.err
// RUN: count 1 < %t.err
// RUN: test -s %t.o
// RUN: instantrace dump %t | FileCheck %s --check-prefix=DUMP --implicit-check-not=FileInclusion
template <class T> struct Box {
  T Value;
};
Box<int> Use;
// CHECK: instantrace: warning: unknown event kind 'constraints'; the kinds are default, all, none, instantiation, substitution, default-argument, exception-spec, constraint, synthesis, phase, file, line, backend, template-instantiation, {{.*}}, memoization, other-synthesis, expansion-stmt-instantiation, sycl-kernel-launch-lookup, sycl-kernel-launch-overload-resolution, file-inclusion, parsing, pending-instantiations, code-generation, profiling, constant-evaluation, statement, optimize-function, optimize-module, machine-code
// DUMP: TemplateInstantiation Box<int>
