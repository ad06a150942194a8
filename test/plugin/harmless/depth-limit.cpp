// The fatal error of the depth limit is the same, with its notes.
// RUN: %same_without_plugin %clangxx -std=c++17 -c %s -o a.o
// RUN: %same_without_plugin %clangxx -std=c++17 -ftemplate-depth=30 -ftemplate-backtrace-limit=0 -c %s -o a.o
template <int N> struct Run {
  static const int Value = Run<N + 1>::Value + 1;
};
int use() { return Run<0>::Value; }
