// What is open for long has its whole name. STUCK: Clang evaluates a constant and calls
// nobody. Otherwise it goes deeper and deeper, to LEVELS, a few milliseconds for each.
template <class T, unsigned N> struct Box {
  T Value[N];
};
constexpr unsigned spin(unsigned Rounds) {
  unsigned X = 1;
  for (unsigned I = 0; I != Rounds; ++I)
    X = X * 1664525u + I;
  return X;
}
#ifdef STUCK
template <class T, unsigned Rounds> struct Long {
  static_assert(spin(Rounds) != 12345, "");
  T Value;
};
template <class T> struct Outer {
  Long<Box<T, 7>, 4000000000u> Inside;
};
Outer<char> Use;
#else
template <class T, unsigned Level> struct Deeper {
  static_assert(spin(3000 + Level) != 12345, "");
  Deeper<T, Level + 1> Inside;
};
template <class T> struct Deeper<T, LEVELS> {
  T Value;
};
Deeper<Box<char, 3>, 0> Use;
#endif
