// REQUIRES: templight-dump
// Parameter packs, fold expressions, index sequences, recursion over packs.
// RUN: %python %S/Inputs/compare-with-templight.py %clangxx %plugin %t %s -std=c++17
// RUN: %check_trace %t.itrace
template <unsigned... Is> struct Indices {};
template <unsigned N, unsigned... Is>
struct Make : Make<N - 1, N - 1, Is...> {};
template <unsigned... Is> struct Make<0, Is...> {
  using type = Indices<Is...>;
};
template <class... Ts> int sum(Ts... Xs) { return (0 + ... + Xs); }
template <class... Ts> bool all(Ts... Xs) { return (... && bool(Xs)); }
template <unsigned... Is> int spread(const int *P, Indices<Is...>) {
  return sum(P[Is]...);
}
template <class... Ts> struct Tuple;
template <> struct Tuple<> {};
template <class T, class... Ts> struct Tuple<T, Ts...> : Tuple<Ts...> {
  T Head;
};
template <class... Ts, class... Us> int both(Tuple<Ts...>, Tuple<Us...>) {
  return sizeof...(Ts) * 10 + sizeof...(Us);
}
int Numbers[3];
int use() {
  return spread(Numbers, Make<3>::type()) + all(1, 'c', 2L) +
         both(Tuple<int, char>(), Tuple<long>());
}
