// A default template argument that a template is asked for is advised to be
// given; where it is given, there is nothing to advise.
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace advise -v --only=default-arguments --min-share=0 %t | FileCheck %s
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -fsyntax-only -DGIVEN=,int %s
// RUN: instantrace advise -v --only=default-arguments --min-share=0 %t | FileCheck %s --check-prefix=GIVEN
#ifndef GIVEN
#define GIVEN
#endif
template <class T> struct Traits { using type = T; };
template <class T, class U = typename Traits<T>::type> struct Set {};
template <int> struct Key {};
Set<Key<0> GIVEN> A;
Set<Key<1> GIVEN> B;
Set<Key<2> GIVEN> C;
Set<Key<3> GIVEN> D;
Set<Key<4> GIVEN> E;
Set<Key<5> GIVEN> F;
Set<Key<6> GIVEN> G;
Set<Key<7> GIVEN> H;
// CHECK: 1 suggestion for
// CHECK: {{\[}}default-arguments]
// CHECK: 8 times that the default was instantiated
// CHECK: at {{.*}}default-arguments.cpp:[[#@LINE-13]]
// GIVEN: No suggestion above 0 %
