// REQUIRES: templight-dump
// Class templates: implicit and explicit instantiation, members, nested classes.
// RUN: %python %S/Inputs/compare-with-templight.py %clangxx %plugin %t %s -std=c++17
// RUN: %check_trace %t.itrace
template <class T> struct Box {
  T Value;
  T get() const { return Value; }
  struct Inner {
    T Other;
    enum class State { Empty, Full };
    State S = State::Empty;
  };
  static T Count;
};
template <class T> T Box<T>::Count = T();
Box<int> First{1};
Box<Box<long>> Second{{2}};
Box<char>::Inner Third;
int use() { return First.get() + Box<int>::Count; }
template struct Box<short>;
template <class T, int N = 3> class Array {
  T Items[N];

public:
  template <class U> Array &operator=(const Array<U, N> &) { return *this; }
  class Iterator {
    Array *Owner;
  };
  Iterator begin() { return {}; }
};
Array<int> A;
Array<long, 3> B;
void assign() {
  A = B;
  A.begin();
}
