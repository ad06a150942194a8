// A location in a macro is where the macro is expanded, and says which macro,
// where the token is spelled in its definition, and where the expansion ends.
// RUN: split-file %s %t
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t.itrace -fsyntax-only %t/a.cpp
// RUN: instantrace dump --no-phases %t.itrace | FileCheck %s
// RUN: instantrace dump --no-phases --format=json %t.itrace | FileCheck %s --check-prefix=JSON

// CHECK: begin TemplateInstantiation Box<int> {{.*}}a.cpp:3:3 (macro MAKE, spelled at {{.*}}m.h:1:28){{$}}
// JSON:      {"event":"begin","kind":"TemplateInstantiation","name":"Box<int>"
// JSON-SAME: "line":3,"column":3,
// JSON-SAME: "macro":"MAKE","spelling_file":"{{[^"]*}}m.h","spelling_line":1,"spelling_column":28,"expansion_end_line":5,"expansion_end_column":1,

//--- m.h
#define MAKE(T) int Size = sizeof(Box<T>)
//--- a.cpp
#include "m.h"
template <class T> struct Box { T Value; };
  MAKE(
    int
);
