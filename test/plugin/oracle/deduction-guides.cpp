// REQUIRES: templight-dump
// Class template argument deduction, implicit and by guides.
// RUN: %python %S/Inputs/compare-with-templight.py %clangxx %plugin %t %s -std=c++17
// RUN: %check_trace %t.itrace
template <class T> struct Box {
  T Value;
  Box(T V) : Value(V) {}
};
template <class T> Box(T *, unsigned) -> Box<T *>;
template <class... Fs> struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <class... Fs> Overloaded(Fs...) -> Overloaded<Fs...>;
template <class T, unsigned N> struct Array {
  T Items[N];
};
template <class T, class... Us> Array(T, Us...) -> Array<T, 1 + sizeof...(Us)>;
Box A = 1;
Box B(2.5);
Box C = A;
Array D{1, 2, 3};
int use() {
  Overloaded O{[](int X) { return X; }, [](char) { return 2; }};
  return O(1) + O('c') + A.Value + int(B.Value) + D.Items[0] + C.Value;
}
