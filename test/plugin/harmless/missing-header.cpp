// The fatal error of a missing header is the same.
// RUN: %same_without_plugin %clangxx -std=c++17 -c %s -o a.o
template <class T> T twice(T X) { return X + X; }
int Before = twice(1);
#include "no-such-header.h"
int After = twice(2L);
