// A compile in which no template is has a trace if it took long: here, to compute
// a constant.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang_instantrace -std=c++17 -fconstexpr-steps=100000000 -fsyntax-only -fplugin-arg-instantrace-output=slow.itrace %s
// RUN: instantrace summary --by=kind slow.itrace | FileCheck %s
// CHECK: slow.itrace: {{.*}} in 1 compile
constexpr int sum(int Count) {
  int Sum = 0;
  for (int I = 0; I != Count; ++I)
    Sum = (Sum + I) % 7919;
  return Sum;
}
constexpr int Sum = sum(400000);
