// Included files are intervals, nested as the inclusions are, at the place of
// the #include; a file that is read twice is there twice.
// RUN: split-file %s %t
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t.itrace -fsyntax-only %t/main.cpp
// RUN: instantrace dump --kind FileInclusion %t.itrace | FileCheck %s

//      CHECK: begin FileInclusion {{.*}}main.cpp <no location>
// CHECK-NEXT: begin   FileInclusion {{.*}}outer.h {{.*}}main.cpp:1:10
// CHECK-NEXT: begin     FileInclusion {{.*}}inner.h {{.*}}outer.h:1:10
// CHECK-NEXT: end       FileInclusion {{.*}}inner.h {{.*}}outer.h:1:10
// CHECK-NEXT: end     FileInclusion {{.*}}outer.h {{.*}}main.cpp:1:10
// CHECK-NEXT: begin   FileInclusion {{.*}}inner.h {{.*}}main.cpp:2:10
// CHECK-NEXT: end     FileInclusion {{.*}}inner.h {{.*}}main.cpp:2:10
// CHECK-NEXT: end   FileInclusion {{.*}}main.cpp <no location>
//  CHECK-NOT: FileInclusion

//--- inner.h
template <class T> struct Box;
//--- outer.h
#include "inner.h"
//--- main.cpp
#include "outer.h"
#include "inner.h"
template <class T> struct Box {};
Box<int> Use;
