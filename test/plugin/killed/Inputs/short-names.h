using Size = decltype(sizeof(0));
template <class T> struct Box {
  T Value;
  Box(T V) : Value(V) {}
  ~Box() {}
  operator T() const { return Value; }
  template <class U> static void *operator new(Size Bytes, U);
};
template <class T> Box<T> operator+(const Box<T> &A, const Box<T> &B) { return Box<T>(A.Value + B.Value); }
template <class... T> int fold_impl(T... Values) { return (Values + ...); }
template <class T>
int a_function_template_whose_name_has_more_bytes_than_there_are_in_a_slot_of_the_header(T Value) {
  return Value;
}
inline int use() {
  auto Twice = [](auto Value) { return Value + Value; };
  Box<int> Sum = Box<int>(1) + Box<int>(2);
  new (1) Box<int>(3);
  return fold_impl(1, 2, Twice(3), Sum) +
         a_function_template_whose_name_has_more_bytes_than_there_are_in_a_slot_of_the_header(4);
}
