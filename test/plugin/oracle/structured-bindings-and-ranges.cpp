// REQUIRES: templight-dump
// Library protocols: tuple-like bindings, range-for, user-defined literals.
// RUN: %python %S/Inputs/compare-with-templight.py %clangxx %plugin %t %s -std=c++17
// RUN: %check_trace %t.itrace
namespace std {
template <class T> struct tuple_size;
template <unsigned long I, class T> struct tuple_element;
} // namespace std
template <class A, class B> struct Two {
  A First;
  B Second;
  template <unsigned long I> auto get() const {
    if constexpr (I == 0)
      return First;
    else
      return Second;
  }
};
template <class A, class B> struct std::tuple_size<Two<A, B>> {
  static constexpr unsigned long value = 2;
};
template <class A, class B> struct std::tuple_element<0, Two<A, B>> {
  using type = A;
};
template <class A, class B> struct std::tuple_element<1, Two<A, B>> {
  using type = B;
};
template <class T, unsigned N> struct Span {
  T Items[N];
  T *begin() { return Items; }
  T *end() { return Items + N; }
};
template <char... Cs> int operator""_digits() { return sizeof...(Cs); }
int use() {
  auto [A, B] = Two<int, char>{1, 'c'};
  int Sum = A + B + 1234_digits;
  Span<int, 3> S{{1, 2, 3}};
  for (int X : S)
    Sum += X;
  return Sum;
}
