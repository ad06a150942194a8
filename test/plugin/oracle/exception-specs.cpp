// REQUIRES: templight-dump
// Exception specifications are instantiated when they are needed.
// RUN: %python %S/Inputs/compare-with-templight.py %clangxx %plugin %t %s -std=c++17
// RUN: %check_trace %t.itrace
template <class T> T &&declval() noexcept;
template <class T> void swap(T &A, T &B) noexcept(noexcept(T(declval<T>()))) {
  T C(A);
  A = B;
  B = C;
}
template <class T> struct Holder {
  T Value;
  Holder() noexcept(noexcept(T())) : Value() {}
  void reset() noexcept(sizeof(T) > 2) { Value = T(); }
  ~Holder() noexcept(false) {}
};
struct Derived : Holder<int> {
  Derived() = default;
};
static_assert(noexcept(Derived()) == false);
static_assert(noexcept(declval<Holder<long> &>().reset()));
static_assert(!noexcept(declval<Holder<char> &>().reset()));
void use(int &A, int &B) { swap(A, B); }
