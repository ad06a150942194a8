template <int N> struct Loop {
  static constexpr int run() { int I = N; while (true) I ^= 1; return I; }
  static constexpr int value = run();
};
int Result = Loop<3>::value;
