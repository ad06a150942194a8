// A type whose name would have 2^40 parts costs the compile nothing, and the
// trace only that text: what is instantiated later is there.
// RUN: %clangxx -fplugin=%plugin -c %s -o %t.o
// RUN: instantrace summary --by=instantiation -n 0 %t.itrace > %t.out 2> %t.err
// RUN: FileCheck %s < %t.out
// RUN: FileCheck %s --allow-empty --check-prefix=ERRORS < %t.err
// RUN: instantrace verify %t.itrace
template <class A, class B> struct P {};
template <int N> struct Nest {
  using T = P<typename Nest<N - 1>::T, typename Nest<N - 1>::T>;
};
template <> struct Nest<0> {
  using T = int;
};
template <class T> struct Use {};
Use<Nest<40>::T> U;
template <class T> struct After {};
After<char> A;

// CHECK-DAG: Nest<40>
// CHECK-DAG: Use<P<
// CHECK-DAG: After<char>

// An observer's note on what it counts is none of these.
// ERRORS-NOT: {{error|warning|incomplete}}
