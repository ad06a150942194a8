// REQUIRES: templight-dump
// Substitution failures: enable_if, void_t, decltype, default arguments.
// RUN: %python %S/Inputs/compare-with-templight.py %clangxx %plugin %t %s -std=c++17
// RUN: %check_trace %t.itrace
template <bool B, class T = void> struct EnableIf {};
template <class T> struct EnableIf<true, T> { using type = T; };
template <class...> using Void = void;
template <class T> T &&declval();
template <class T, class = void> struct HasSize {
  static constexpr bool Value = false;
};
template <class T>
struct HasSize<T, Void<decltype(declval<T &>().size())>> {
  static constexpr bool Value = true;
};
struct List {
  int size() const { return 3; }
};
template <class T, typename EnableIf<HasSize<T>::Value, int>::type = 0>
int length(const T &X) {
  return X.size();
}
template <class T, typename EnableIf<!HasSize<T>::Value, int>::type = 0>
int length(const T &) {
  return 1;
}
template <class T> auto tail(const T &X, int) -> decltype(X.size()) {
  return X.size() - 1;
}
template <class T> int tail(const T &, long) { return 0; }
int use() { return length(List()) + length(4) + tail(List(), 0) + tail(4, 0); }
