// A recursion of as many steps as a number says is advised to be a loop.
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace advise -v --only=recursion --min-share=0 %t | FileCheck %s
template <int N> struct Sum { static constexpr int value = N + Sum<N - 1>::value; };
template <> struct Sum<0> { static constexpr int value = 0; };
static_assert(Sum<40>::value == 820, "");
// CHECK: Make a fold or a loop of Sum<$>::value, which recurses 40 deep
// CHECK: 40 steps inside one another, down to Sum<1>
// CHECK: at {{.*}}recursion.cpp:[[#@LINE-5]]
