// The text of a pasted token is in no file: it is spelled where the first
// operand of ## is.
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --no-phases %t | FileCheck %s --implicit-check-not="scratch space"
template <class T> auto makeBox(T Value) { return Value; }
#define MAKE(What) int Use = make##What(1)
MAKE(Box);
// CHECK: begin DeducedTemplateArgumentSubstitution {{.*}}pasted-tokens.cpp:[[#@LINE-1]]:1 (macro MAKE, spelled at {{.*}}pasted-tokens.cpp:[[#@LINE-2]]:30){{$}}
