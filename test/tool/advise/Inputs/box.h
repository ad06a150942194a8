template <class T> struct Box {
  void get() {}
  void set();
};
template <class T> void Box<T>::set() {}
