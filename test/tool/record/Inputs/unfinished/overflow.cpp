constexpr int down(int N) { return down(N + 1) + 1; }
template <int N> struct Deep { static constexpr int value = down(N); };
int Result = Deep<1>::value;
