template <int N> struct Down {
  static constexpr int value = Down<N + 1>::value + 1;
};
int Result = Down<0>::value;
