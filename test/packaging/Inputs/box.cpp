template <class T> struct Box {
  T Value;
  T get() const { return Value; }
};
template <class T> T twice(T Value) { return Box<T>{Value}.get() * 2; }
int Answer = twice(21);
