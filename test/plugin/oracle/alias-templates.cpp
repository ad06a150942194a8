// REQUIRES: templight-dump
// Alias templates, also with template template parameters.
// RUN: %python %S/Inputs/compare-with-templight.py %clangxx %plugin %t %s -std=c++17
// RUN: %check_trace %t.itrace
template <class T, class A> struct Pair {
  T First;
  A Second;
};
template <class T> using Twin = Pair<T, T>;
template <class T> using Pointer = T *;
template <template <class> class F, class T> using Apply = F<T>;
template <template <class...> class C, class... Ts> struct Wrap {
  using type = C<Ts...>;
};
template <class> using Void = void;
template <class T> struct Allocator {
  template <class U> using Rebind = Allocator<U>;
};
Twin<int> A;
Apply<Twin, long> B;
Apply<Pointer, char> C;
Wrap<Pair, int, char>::type D;
Allocator<int>::Rebind<long> E;
Void<int> f() {}
