// REQUIRES: templight-dump
// Partial and explicit specializations, ambiguous only until ordered.
// RUN: %python %S/Inputs/compare-with-templight.py %clangxx %plugin %t %s -std=c++17
// RUN: %check_trace %t.itrace
template <class T, class U> struct Same { static constexpr int Value = 0; };
template <class T> struct Same<T, T> { static constexpr int Value = 1; };
template <class T> struct Same<T *, T *> { static constexpr int Value = 2; };
template <> struct Same<void, void> { static constexpr int Value = 3; };
static_assert(Same<int, long>::Value == 0);
static_assert(Same<int, int>::Value == 1);
static_assert(Same<int *, int *>::Value == 2);
static_assert(Same<void, void>::Value == 3);
template <class T> struct Strip { using type = T; };
template <class T, unsigned N> struct Strip<T[N]> { using type = T; };
template <class R, class... As> struct Strip<R(As...)> { using type = R; };
template <class C, class T> struct Strip<T C::*> { using type = T; };
struct Point {
  int X;
};
Strip<int[3]>::type A;
Strip<int(char, long)>::type B;
Strip<int Point::*>::type C;
template <class T> int rank(T) { return 0; }
template <> int rank(char) { return 1; }
int D = rank(1) + rank('c');
