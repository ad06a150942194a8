// REQUIRES: templight-dump
// Generic lambdas, lambdas inside templates, and closures as arguments.
// RUN: %python %S/Inputs/compare-with-templight.py %clangxx %plugin %t %s -std=c++17
// RUN: %check_trace %t.itrace
template <class F, class... Ts> auto invoke(F Function, Ts... Arguments) {
  return Function(Arguments...);
}
template <class T> auto adder(T Start) {
  return [Start](auto X) { return Start + X; };
}
template <class F> struct Twice {
  F Function;
  template <class T> auto operator()(T X) const {
    return Function(Function(X));
  }
};
int use() {
  auto Increment = [](auto X) { return X + 1; };
  auto Nested = [](auto F) {
    return [F](auto X) { return F(F(X)); };
  };
  Twice<decltype(Increment)> T{Increment};
  return invoke(Increment, 1) + adder(2)(3) + Nested(Increment)(4) + T(5) +
         invoke([](auto... Xs) { return int(sizeof...(Xs)); }, 1, 2, 3);
}
