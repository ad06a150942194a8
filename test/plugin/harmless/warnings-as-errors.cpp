// -Werror fails as without the plugin, and leaves no object.
// RUN: %same_without_plugin %clangxx -std=c++17 -Wall -Werror -c %s -o a.o
template <class T> T outer(T X) {
  T Unused;
  return X;
}
int use() { return outer(1); }
