// A compile that is clean with -Weverything as errors stays clean.
// RUN: %same_without_plugin %clangxx -std=c++17 -Werror -Weverything -Wno-c++98-compat -Wno-c++98-compat-pedantic -O2 -c %s -o a.o
template <class T> static constexpr T twice(T X) { return X + X; }
int use(int X);
int use(int X) { return twice(X); }
