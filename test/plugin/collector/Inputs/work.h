// Enough template work to fill a small buffer many times; N is how much.
template <class T, int I> struct Box {
  T Value;
  int get() const { return I + int(sizeof(T)); }
};
template <int I, class... Ts> struct Chain {
  using Type = typename Chain<I - 1, Box<int, I>>::Type;
  static int sum() { return Box<Type *, I>().get() + Chain<I - 1>::sum(); }
};
template <class... Ts> struct Chain<0, Ts...> {
  using Type = int;
  static int sum() { return 0; }
};
template <int Round> int rounds() {
  return Chain<200 + Round % 7>::sum() + Box<Box<int, Round>, Round>().get() +
         rounds<Round - 1>();
}
template <> int rounds<0>() { return 0; }
int use() { return rounds<N>(); }
