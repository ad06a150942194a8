// check-names=FILE compares every name with what Clang prints.
// RUN: rm -f %t.names
// RUN: %clang_instantrace -fplugin-arg-instantrace-check-names=%t.names -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: FileCheck %s --match-full-lines < %t.names
// A file that takes nothing costs a warning and not the compile.
// RUN: %clang_instantrace -fplugin-arg-instantrace-check-names=/dev/full -fplugin-arg-instantrace-output=%t -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=FULL --match-full-lines
// FULL: instantrace: warning: /dev/full: No space left on device
// FULL-NOT: {{.+}}
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
