// Errors deep inside instantiations come with the same notes.
// RUN: %same_without_plugin %clangxx -std=c++17 -c %s -o a.o
// RUN: %same_without_plugin %clangxx -std=c++17 -fsyntax-only -ftemplate-backtrace-limit=0 %s
// RUN: %same_without_plugin %clangxx -std=c++17 -fsyntax-only -ferror-limit=1 %s
template <int N> struct Deep {
  Deep<N - 1> Inner;
  template <class T> static auto call(T X) { return Deep<N - 1>::call(X); }
};
template <> struct Deep<0> {
  template <class T> static auto call(T X) { return X.missing(); }
};
template <class T> struct Wrong : T::Base {
  typename T::type Value;
  T *operator->() { return Value; }
};
int first() { return Deep<20>::call(1); }
Wrong<int> Second;
int third() { return undeclared(Deep<30>::call('c')); }
