// A key that is none is one warning that lists those there are.
// RUN: rm -f %t.o
// RUN: %clang_instantrace -Werror -fplugin-arg-instantrace-memoisation=off -fplugin-arg-instantrace-output=%t -c %s -o %t.o 2> %t.err
// RUN: FileCheck %s --match-full-lines < %t.err
// RUN: count 1 < %t.err
// RUN: test -s %t.o
// RUN: instantrace verify %t
template <class T> struct Box {
  T Value;
};
Box<int> Use;
// CHECK: instantrace: warning: unknown option 'memoisation'; the options are output, memoization, events, granularity, statement-time, empty, verbose, {{.*}}check-names
