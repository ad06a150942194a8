// Warnings inside instantiations are the same, with their notes.
// RUN: %same_without_plugin %clangxx -std=c++17 -Wall -Wextra -Wconversion -c %s -o a.o
// RUN: %same_without_plugin %clangxx -std=c++17 -Weverything -fsyntax-only %s
// RUN: %same_without_plugin %clangxx -std=c++17 -Wall -fdiagnostics-format=msvc -fno-caret-diagnostics -c %s -o a.o
template <class To, class From> To narrow(From X) {
  int Unused;
  return X;
}
template <class T> struct Box {
  T Value;
  [[deprecated("use Value")]] T get() const { return narrow<char>(Value); }
  bool less(unsigned X) const { return Value < X; }
};
template <class T> T outer(const Box<T> &B) { return B.get() + B.less(3U); }
int use() { return outer(Box<int>{1}) + int(outer(Box<long>{2})); }
