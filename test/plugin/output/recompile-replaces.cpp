// The trace of a second compile replaces the first, and no temporary file stays.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang_instantrace -DTYPE=int -c %s -o a.o
// RUN: %clang_instantrace -DTYPE=long -c %s -o a.o
// RUN: instantrace dump a.itrace | FileCheck %s --implicit-check-not="Box<int>"
// RUN: find . -type f | count 2
template <class T> struct Box {
  T Value;
};
Box<TYPE> Use;
// CHECK: TemplateInstantiation Box<long>
