// Memory, mappings and files that the plugin asks for fail, one at a time: the
// compile ends as it does without the plugin. So it does when there is no memory
// any more from then on, and when it crashes there, as after any crash.
// REQUIRES: oldest-clang || newest-clang
// RUN: rm -rf %t && mkdir -p %t/once %t/from %t/sema %t/crash
// RUN: %python %S/Inputs/fail-one.py %clangxx %plugin %t/once %s --every 4 | FileCheck %s
// RUN: %python %S/Inputs/fail-one.py %clangxx %plugin %t/from %s --from --every 12 | FileCheck %s
// Of the hooks, the callback alone asks for memory under that.
// RUN: %if callback %{ %python %S/Inputs/fail-one.py %clangxx %plugin %t/sema %s --from --all --under InitializeSema | FileCheck %s --check-prefix=SEMA %}
// RUN: %python %S/Inputs/fail-one.py %clangxx %plugin %t/crash %s --crash --every 20 | FileCheck %s
// SEMA: {{^[1-9][0-9]* of [1-9][0-9][0-9]+ calls made to fail: 0 faults}}
// CHECK: {{^[1-9][0-9]* of [1-9][0-9][0-9]+ calls made to fail: 0 faults}}
template <int N> struct Count {
  static constexpr int Value = Count<N - 1>::Value + 1;
};
template <> struct Count<0> {
  static constexpr int Value = 0;
};
static_assert(Count<300>::Value == 300, "");
namespace shapes {
inline namespace v1 {
template <class... Parts> struct Tuple {};
template <class T, class = int> struct Box {
  T Held;
  template <class U> auto with(U Other) const { return Box<U, T>{Other}; }
};
} // namespace v1
template <class F> auto call(F Body) { return Body(1); }
} // namespace shapes
template <class T> T twice(T X) { return X + X; }
#define TWICE(X) twice(X)
int use(shapes::Tuple<int (*)(char), const char *[2], shapes::Box<long>> *) {
  auto Add = [](auto X) { return X + twice(1); };
  return shapes::call(Add) + TWICE(2) + shapes::Box<int>{3}.with('c').Held;
}
int unused() { int Left; return 0; }
