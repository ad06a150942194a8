// A pack of 300 arguments is named in full, element by element.
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --no-phases %t | FileCheck %s
// RUN: instantrace dump --no-phases %t | %python -c "import sys; L = [L for L in sys.stdin if 'definition' in L and 'Pack<' in L]; assert len(L) == 1 and L[0].count(', ') == 299, L"
template <int... Is> struct Pack {};
template <class T, T... Is> struct Sequence {
  Pack<Is...> Values;
};
__make_integer_seq<Sequence, int, 300> Use;
// CHECK: begin TemplateInstantiation Sequence<int, 0, 1, 2, {{.*}}, 298, 299> {{.*}}.cpp:[[#@LINE-1]]
// CHECK: begin TemplateInstantiation Pack<0, 1, 2, {{.*}}, 298, 299> {{.*}}.cpp:[[#@LINE-4]]
