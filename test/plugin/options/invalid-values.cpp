// A value that its option does not take is one warning that says what it takes;
// the default holds.
// RUN: %clang_instantrace -Werror -fplugin-arg-instantrace-memoization=some -fplugin-arg-instantrace-granularity=5us -fplugin-arg-instantrace-empty=maybe -fplugin-arg-instantrace-verbose=very -fplugin-arg-instantrace-check-names= -fplugin-arg-instantrace-output=%t -fsyntax-only %s 2> %t.err
// RUN: FileCheck %s --match-full-lines < %t.err
// RUN: instantrace dump --header %t | FileCheck %s --check-prefix=HEADER -DMEMOIZATION=%if callback %{count%} %else %{off%}
// RUN: %clang_instantrace -fplugin-arg-instantrace-granularity=18446744073709552 -fplugin-arg-instantrace-output=%t -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=RANGE --match-full-lines
// RUN: cd %T && %clang_instantrace -fplugin-arg-instantrace-output= -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=OUTPUT --match-full-lines
template <class T> struct Box {
  T Value;
};
Box<int> Use;
//      CHECK: instantrace: warning: invalid value 'some' for option 'memoization'; expected count, events or off
// CHECK-NEXT: instantrace: warning: invalid value '5us' for option 'granularity'; expected a number of microseconds from 0 to 18446744073709551
// CHECK-NEXT: instantrace: warning: invalid value 'maybe' for option 'empty'; expected on or off
// CHECK-NEXT: instantrace: warning: invalid value 'very' for option 'verbose'; expected on or off
// CHECK-NEXT: instantrace: warning: invalid value '' for option 'check-names'; expected a file
//  CHECK-NOT: {{.+}}
// HEADER: memoization: [[MEMOIZATION]]
// HEADER: granularity: 0 ns
// RANGE: instantrace: warning: invalid value '18446744073709552' for option 'granularity'; expected a number of microseconds from 0 to 18446744073709551
// OUTPUT: instantrace: warning: invalid value '' for option 'output'; expected a file, or a directory ending with '/'
