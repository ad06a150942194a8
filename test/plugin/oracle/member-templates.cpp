// REQUIRES: templight-dump
// Member templates of templates, conversion operators, constructors.
// RUN: %python %S/Inputs/compare-with-templight.py %clangxx %plugin %t %s -std=c++17
// RUN: %check_trace %t.itrace
template <class T> struct Any {
  T Value{};
  Any() = default;
  template <class U> explicit Any(U X) : Value(static_cast<T>(X)) {}
  template <class U> operator U() const { return static_cast<U>(Value); }
  operator const char *() const { return ""; }
  template <class U> struct Rebind {
    U Other;
    template <class V> V as() const { return static_cast<V>(Other); }
  };
  template <class U> T operator+(U X) const { return Value + T(X); }
};
Any<int> A(2.5);
long L = A;
Any<int>::Rebind<long> R{3};
int I = R.as<int>() + (A + 'c');
const char *Text = A;
