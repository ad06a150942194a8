// Objects are the same byte for byte: templates, lambdas, constant expressions.
// RUN: %same_without_plugin %clangxx -std=c++17 -O0 -c %s -o a.o
// RUN: %same_without_plugin %clangxx -std=c++17 -O2 -g -c %s -o a.o
// RUN: %same_without_plugin %clangxx -std=c++20 -O1 -g1 -fno-exceptions -fno-rtti -ffunction-sections -c %s -o a.o
// RUN: %same_without_plugin %clangxx -std=c++17 -Os -fPIC -flto -c %s -o a.o
template <class T, int N> struct Array {
  T Items[N]{};
  constexpr T &operator[](int I) { return Items[I]; }
  constexpr const T *begin() const { return Items; }
  constexpr const T *end() const { return Items + N; }
};
template <class T, int N> constexpr T sum(const Array<T, N> &A) {
  T Result{};
  for (T Item : A)
    Result += Item;
  return Result;
}
template <int N> constexpr Array<int, N> squares() {
  Array<int, N> Result;
  for (int I = 0; I < N; ++I)
    Result[I] = I * I;
  return Result;
}
static_assert(sum(squares<5>()) == 30);
template <class F> auto twice(F Function) {
  return [=](auto X) { return Function(Function(X)); };
}
template <class... Fs> struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <class... Fs> Overloaded(Fs...) -> Overloaded<Fs...>;
int Table[sum(squares<4>())];
int use(int X) {
  static auto Increment = [Count = 0](auto Y) mutable { return Y + ++Count; };
  Overloaded Both{[](int Y) { return Y; }, [](long Y) { return int(Y) + 1; }};
  return twice([X](auto Y) { return X * Y; })(3) + Increment(X) + Both(1) +
         Both(2L);
}
