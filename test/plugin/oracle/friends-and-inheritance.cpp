// REQUIRES: templight-dump
// Friends, CRTP, virtual functions, and implicit special members.
// RUN: %python %S/Inputs/compare-with-templight.py %clangxx %plugin %t %s -std=c++17
// RUN: %check_trace %t.itrace
template <class Derived> struct Comparable {
  friend bool operator!=(const Derived &A, const Derived &B) {
    return !(A == B);
  }
  const Derived &self() const { return static_cast<const Derived &>(*this); }
  bool isZero() const { return self().value() == 0; }
};
template <class T> class Number : public Comparable<Number<T>> {
  T Value;
  template <class U> friend class Number;
  template <class U> friend U peek(const Number<U> &);

public:
  Number(T V = T()) : Value(V) {}
  template <class U> Number(const Number<U> &Other) : Value(Other.Value) {}
  virtual ~Number() = default;
  virtual T value() const { return Value; }
  friend bool operator==(const Number &A, const Number &B) {
    return A.Value == B.Value;
  }
};
template <class T> T peek(const Number<T> &N) { return N.Value; }
bool use() {
  Number<int> A = 1;
  Number<long> B = A;
  return A != A || B.isZero() || peek(B) == 1;
}
