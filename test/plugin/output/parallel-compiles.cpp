// Compiles that run at once into one directory do not disturb one another, be
// it under several names or under one.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %python %S/Inputs/at-once.py 6 %clang_instantrace -fplugin-arg-instantrace-output=%t/all/ -c %s -o {}.o
// RUN: find all -name 'parallel-compiles-*.itrace' | count 6
// RUN: instantrace verify all
// RUN: %python %S/Inputs/at-once.py 6 %clang_instantrace -fplugin-arg-instantrace-output=%t/one/same -c %s -o {}.o
// RUN: instantrace verify one/same
// RUN: find . -name '.*.tmp' | count 0
template <class T> struct Box {
  T Value;
};
Box<int> Use;
