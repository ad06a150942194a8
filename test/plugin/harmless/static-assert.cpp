// A failing static_assert in an instantiation is reported in the same way.
// RUN: %same_without_plugin %clangxx -std=c++17 -c %s -o a.o
template <class T> struct Checked {
  static_assert(sizeof(T) > 4, "too small");
  T Value;
};
template <class T> Checked<T> make() { return {}; }
auto First = make<long>();
auto Second = make<char>();
