// check-names=FILE compares every name with what Clang prints.
// RUN: rm -f %t.names
// RUN: %clang_instantrace -fplugin-arg-instantrace-check-names=%t.names -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: FileCheck %s --match-full-lines < %t.names
namespace {
template <class T> struct Hidden {
  T Value;
};
} // namespace
template <class T, class U = Hidden<T>> struct Outer {
  U Member;
  T get() const { return T(); }
};
int Use = Outer<int>().get();
//      CHECK: entities with leaves: 0
// CHECK-NEXT: entities that are patterns: 0
// CHECK-NEXT: not compared: 0 renamed by Clang since, 0 too large to print
// CHECK-NEXT: not compared without default arguments: 0 printed as written, 0 with leaves
// CHECK-NEXT: {{[1-9][0-9]*}} entities, 0 differences
//  CHECK-NOT: {{.+}}
