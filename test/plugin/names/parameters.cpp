// With parameters=on, a function's name has its canonical parameter types after
// it, as Clang prints them, and what else tells it from its overloads.
// RUN: %python %S/Inputs/check-names.py %plugin %t %clangxx %s -std=c++17 -fplugin-arg-instantrace-parameters=on
// RUN: instantrace dump --format=textproto %t.itrace | FileCheck %s
// CHECK: part: NAME_PART_PARAMETERS
typedef unsigned long Size;
template <class T> struct Box {
  int over(Size, const char *, ...) { return 1; }
  int over(Size) const volatile & { return 1; }
  int over(T (*)[2]) && { return 1; }
  int over() { return 1; }
};
template <class T> int use(T) { return 1; }
Box<int> B;
int A = B.over(1, "") + B.over(1) + Box<int>().over(nullptr) + B.over() +
        use([](auto X) { return X; });
