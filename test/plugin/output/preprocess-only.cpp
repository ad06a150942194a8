// Preprocessing and dependencies are no compiles: no trace, the same output.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang_instantrace -E %s > with && %clangxx -E %s > without && cmp with without
// RUN: %clang_instantrace -M %s > with && %clangxx -M %s > without && cmp with without
// RUN: %clang_instantrace -MM %s -o deps.d
// RUN: find . -name '*itrace*' | count 0
template <class T> struct Box {
  T Value;
};
Box<int> Use;
