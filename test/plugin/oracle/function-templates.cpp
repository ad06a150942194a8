// REQUIRES: templight-dump
// Function templates: deduction, explicit arguments, overloads, local classes.
// RUN: %python %S/Inputs/compare-with-templight.py %clangxx %plugin %t %s -std=c++17
// RUN: %check_trace %t.itrace
template <class T> T identity(T Value) { return Value; }
template <class To, class From> To convert(const From &Value) {
  return static_cast<To>(Value);
}
template <class T, unsigned N> unsigned size(const T (&)[N]) { return N; }
template <class T> T *pick(T *P, ...) { return P; }
template <class T> T pick(T P, int) { return P; }
template <class R, class... As> R call(R (*F)(As...), As... Arguments) {
  return F(Arguments...);
}
template <class T> int local(T Start) {
  struct Counter {
    T Value;
    T next() { return ++Value; }
  };
  Counter C{Start};
  return C.next();
}
int twice(int X) { return 2 * X; }
int Numbers[4];
int use() {
  return identity(1) + convert<int>(2.5) + size(Numbers) + *pick(Numbers, 0) +
         pick(3, 4) + call(twice, 5) + local(6) + local('a');
}
