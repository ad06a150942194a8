// REQUIRES: templight-dump
// Template template parameters: matching, partial ordering, defaults.
// RUN: %python %S/Inputs/compare-with-templight.py %clangxx %plugin %t %s -std=c++17
// RUN: %check_trace %t.itrace
template <class T, class A = void> struct Vector {
  T *Items = nullptr;
};
template <class T> struct List {
  T *Head = nullptr;
};
template <template <class...> class C, class... Ts> struct Container {
  C<Ts...> Storage;
};
template <class T> struct Element;
template <template <class, class> class C, class T, class A>
struct Element<C<T, A>> {
  using type = T;
};
template <template <class> class C, class T> struct Element<C<T>> {
  using type = T;
};
template <template <class...> class C, class T> int size(const C<T> &) {
  return sizeof(T);
}
template <template <class...> class P, class T> struct IsOf {
  static constexpr bool Value = false;
};
template <template <class...> class P, class... As> struct IsOf<P, P<As...>> {
  static constexpr bool Value = true;
};
static_assert(IsOf<Vector, Vector<int>>::Value);
Container<Vector, int> A;
Container<List, long> B;
Element<Vector<int, char>>::type D;
Element<List<short>>::type E;
int use() { return size(B.Storage) + sizeof(D) + sizeof(E); }
