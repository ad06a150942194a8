// In nested macros the name is that of the outermost, which stands at the
// location; the token is spelled in the innermost.
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --no-phases %t | FileCheck %s
template <class T> struct Box { T Value; };
#define INNER(T) sizeof(Box<T>)
#define OUTER(T) int Size = INNER(T)
OUTER(int);
// CHECK: begin TemplateInstantiation Box<int> {{.*}}nested-macros.cpp:[[#@LINE-1]]:1 (macro OUTER, spelled at {{.*}}nested-macros.cpp:[[#@LINE-3]]:18){{$}}
