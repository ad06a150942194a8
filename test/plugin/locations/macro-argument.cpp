// What instantiates from inside a macro's argument is spelled at the call.
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --no-phases %t | FileCheck %s
#define SAME(X) X
template <class T> struct Box { T Value; };
int Size = SAME(sizeof(Box<int>));
// CHECK: begin TemplateInstantiation Box<int> {{.*}}macro-argument.cpp:[[#@LINE-1]]:12 (macro SAME, spelled at {{.*}}macro-argument.cpp:[[#@LINE-1]]:17){{$}}
