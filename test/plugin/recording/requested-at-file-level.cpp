// A body that is put off outside of any instantiation says in which file; the
// line is that of the interval itself.
// RUN: split-file %s %t
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t.itrace -fsyntax-only %t/main.cpp
// RUN: instantrace dump %t.itrace | FileCheck %s

//      CHECK: begin PendingInstantiations
// CHECK-NEXT: begin TemplateInstantiation late<int> {{.*}}header.h:2:{{[0-9]+}} requested by {{.*}}header.h {{.*}}main.cpp:1
//      CHECK: begin TemplateInstantiation late<long> {{.*}}main.cpp:2:{{[0-9]+}} requested by {{.*}}main.cpp <no location>

//--- header.h
template <class T> T late(T X) { return X; }
inline int inHeader() { return late(1); }
struct Last {};
//--- main.cpp
#include "header.h"
long inMain() { return late(1L); }
