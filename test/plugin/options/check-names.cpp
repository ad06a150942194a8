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
//     CHECK: {{[1-9][0-9]*}} entities, 0 differences ({{[0-9]+}} printed as one leaf, 0 renamed by Clang since)
// CHECK-NOT: {{.+}}
