// Each level takes twice as long, and twice the memory, of the one before.
template <class... T> struct List {};
template <class A, class B> struct Cat;
template <class... A, class... B> struct Cat<List<A...>, List<B...>> {
  using type = List<A..., B...>;
};
template <int N> struct Grow {
  using half = typename Grow<N - 1>::type;
  using type = typename Cat<half, half>::type;
};
template <> struct Grow<0> {
  using type = List<int>;
};
Grow<40>::type *p;
