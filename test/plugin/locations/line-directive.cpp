// #line gives the location that a diagnostic would show; where the text was
// read is recorded beside it. What is before the first #line has no such note.
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --no-phases --kind TemplateInstantiation %t | FileCheck %s
// RUN: instantrace dump --no-phases --format=json %t | FileCheck %s --check-prefix=JSON
template <class T> struct Box { T Value; };
int Plain = sizeof(Box<int>);
// CHECK: begin TemplateInstantiation Box<int> {{.*}}line-directive.cpp:[[#@LINE-1]]:13{{$}}
#line 100 "made-up.h"
int Named = sizeof(Box<long>);
// CHECK: begin TemplateInstantiation Box<long> made-up.h:100:13 (read from {{.*}}line-directive.cpp:10){{$}}
#line 200
int Unnamed = sizeof(Box<char>);
// CHECK: begin TemplateInstantiation Box<char> made-up.h:200:15 (read from {{.*}}line-directive.cpp:13){{$}}
// JSON: "name":"Box<char>","file":"made-up.h","line":200,"column":15,{{.*}}"physical_file":"{{[^"]*}}line-directive.cpp","physical_line":13,
