// The parser reads one token ahead, so a function whose body ends right before
// an #include is finished, and its requests are noted, inside that file.
// The observer hears of a request at once.
// REQUIRES: callback
// RUN: split-file %s %t
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t.itrace -fsyntax-only %t/main.cpp
// RUN: instantrace dump --kind TemplateInstantiation %t.itrace | FileCheck %s

// CHECK: begin TemplateInstantiation late<int> {{.*}}main.cpp:2:{{[0-9]+}} requested by {{.*}}header.h {{.*}}main.cpp:3

//--- header.h
struct Unrelated {};
//--- main.cpp
template <class T> T late(T X) { return X; }
int use() { return late(1); }
#include "header.h"
