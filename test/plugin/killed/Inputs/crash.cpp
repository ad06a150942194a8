// Enough template work that names are pending, and then, with one macro, the end
// of the compiler in one way. Without any it compiles, and with the same events.
#ifndef STEPS
#define STEPS 10
#endif
template <int N> struct Count {
  static constexpr int Value = Count<N - 1>::Value + 1;
};
template <> struct Count<0> {
  static constexpr int Value = 0;
};
template <class T, int N> T add(T X) { return X + Count<N>::Value; }
int Sum = add<int, 700>(1);
static_assert(Count<701>::Value == 701);
constexpr int down(int N) { return N ? down(N - 1) + 1 : 0; }
constexpr int spin(int N) {
  int X = 0;
  for (int I = 0; I < N; ++I)
    X ^= I;
  return X;
}
template <class T> struct Last {
#ifdef RECURSE
  static constexpr T Value = down(RECURSE + sizeof(T));
#else
  static constexpr T Value = spin(STEPS + sizeof(T));
#endif
};
template <int N, class T> struct Nest : Nest<N - 1, T> {};
template <class T> struct Nest<0, T> : Last<T> {
  static_assert(Last<T>::Value >= 0);
};
int Bottom = Nest<100, int>::Value;
#if defined(CRASH)
#pragma clang __debug crash
#elif defined(PARSER_CRASH)
#pragma clang __debug parser_crash
#elif defined(FATAL)
#pragma clang __debug llvm_fatal_error
#endif
int After = add<char, 702>(1);
