// REQUIRES: templight-dump
// Constant expressions that instantiate, recursive templates, static members.
// RUN: %python %S/Inputs/compare-with-templight.py %clangxx %plugin %t %s -std=c++17
// RUN: %check_trace %t.itrace
template <int N> struct Fibonacci {
  static constexpr int Value =
      Fibonacci<N - 1>::Value + Fibonacci<N - 2>::Value;
};
template <> struct Fibonacci<0> { static constexpr int Value = 0; };
template <> struct Fibonacci<1> { static constexpr int Value = 1; };
static_assert(Fibonacci<8>::Value == 21);
template <class T> constexpr T power(T Base, unsigned N) {
  if constexpr (sizeof(T) == 1)
    return Base;
  else
    return N == 0 ? T(1) : Base * power(Base, N - 1);
}
static_assert(power(2L, 5) == 32);
int Sizes[power(3, 2)];
template <auto Value> struct Constant {
  static constexpr auto value = Value;
};
static_assert(Constant<&Sizes>::value == &Sizes);
static_assert(Constant<'x'>::value == 'x' && Constant<-1>::value < 0);
enum class Color { Red, Green };
static_assert(Constant<Color::Green>::value == Color(1));
