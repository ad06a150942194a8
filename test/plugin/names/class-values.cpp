// Values of class type and of floating type as arguments.
// REQUIRES: clang-ge-15
// RUN: %python %S/Inputs/check-names.py %plugin %t %clangxx %s -std=c++20
// RUN: instantrace dump --no-phases %t.itrace | FileCheck %s
template <unsigned N> struct Fixed {
  char Text[N];
  constexpr Fixed(const char (&From)[N]) {
    for (unsigned I = 0; I != N; ++I)
      Text[I] = From[I];
  }
};
struct Point {
  int X, Y;
};
template <Fixed Text> int named() { return 1; }
template <Point P> int at() { return 1; }
// CHECK-DAG: begin TemplateInstantiation named<{{(Fixed<4>)?[{].*}}>
int A = named<"a<>">();
// CHECK-DAG: begin TemplateInstantiation at<{{(Point)?[{]1, -2[}]}}>
int B = at<Point{1, -2}>();
