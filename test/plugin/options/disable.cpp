// INSTANTRACE_DISABLE=1 makes the plugin inert: no trace, no output, and no
// module for this Clang is loaded.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: env INSTANTRACE_DISABLE=1 LD_DEBUG=files LD_DEBUG_OUTPUT=%t/loaded %clang_instantrace -fplugin-arg-instantrace-verbose=on -c %s -o a.o > out 2>&1
// RUN: count 0 < out
// RUN: cat loaded.* | FileCheck %s --implicit-check-not=instantrace-clang- --implicit-check-not=instantrace-entry-
// RUN: test -s a.o
// RUN: not ls a.itrace
// RUN: env INSTANTRACE_DISABLE=0 %clang_instantrace -c %s -o a.o
// RUN: test -s a.itrace
template <class T> struct Box {
  T Value;
};
Box<int> Use;
// CHECK: libinstantrace.so
