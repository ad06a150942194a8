template <class T, class U = long> struct Box {
  T Value;
  template <class V> V get(V Other) { return Other; }
};
template <class T> T twice(T Value) { return Box<T>{Value}.get(Value) * 2; }
int Answer = twice(21);
