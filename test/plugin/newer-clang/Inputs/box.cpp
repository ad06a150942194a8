template <class T> struct Box {
  T Value;
  T get() const { return Value; }
};
int use() { return Box<int>{1}.get(); }
