template <class... T> struct List {};
template <class A, class B> struct Cat;
template <class... A, class... B> struct Cat<List<A...>, List<B...>> { using type = List<A..., B...>; };
template <int N> struct Grow { using type = typename Cat<typename Grow<N - 1>::type, typename Grow<N - 1>::type>::type; };
template <> struct Grow<0> { using type = List<int>; };
Grow<26>::type *p;
