// Compiles that do not start from source never reach the plugin.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clangxx -S %s -o a.s
// RUN: %clangxx -S -emit-llvm %s -o b.ll
// RUN: %clang_instantrace -c a.s
// RUN: %clang_instantrace -c b.ll
// RUN: test -s a.o && test -s b.o
// RUN: find . -name '*.itrace' | count 0
template <class T> struct Box {
  T Value;
};
Box<int> Use;
