// The optimization level is the flag's, and O0 without one; so is the standard.
// RUN: %clang_instantrace -std=gnu++14 -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --header %t | FileCheck %s -DSTD=gnu++14 -DLEVEL=O0
// RUN: %clang_instantrace -std=c++20 -O3 -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --header %t | FileCheck %s -DSTD=c++20 -DLEVEL=O3
// RUN: %clang_instantrace -std=c++14 -Os -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --header %t | FileCheck %s -DSTD=c++14 -DLEVEL=Os
// RUN: %clang_instantrace -std=c++14 -Oz -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --header %t | FileCheck %s -DSTD=c++14 -DLEVEL=Oz
template <class T> struct Box {
  T Value;
};
Box<int> Use;
//      CHECK: language standard: [[STD]]{{$}}
// CHECK-NEXT: optimization level: [[LEVEL]]{{$}}
