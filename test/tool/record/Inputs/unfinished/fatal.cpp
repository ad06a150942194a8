template <int N> struct Sum { static constexpr int value = Sum<N - 1>::value + 1; };
template <> struct Sum<0> { static constexpr int value = 0; };
int A = Sum<500>::value;
