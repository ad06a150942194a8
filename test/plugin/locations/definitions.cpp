// Entities have the line and column of their declaration: that of the template
// for what is instantiated from it; in a macro, where it is expanded.
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --format=json --kind TemplateInstantiation %t | FileCheck %s
#define STRUCT(Name) struct Name { T Value; }
template <class T>   struct Box { T Value; };
template <class T>
STRUCT(Made);
template <class T> int  get(T) { return 0; }
int Use = sizeof(Box<int>) + sizeof(Made<int>) + get(1);
// CHECK: "name":"Box<int>",{{.*}}"declared":{"file":"{{[^"]*}}definitions.cpp","line":[[#@LINE-5]],"column":29,
// CHECK: "name":"Made<int>",{{.*}}"declared":{"file":"{{[^"]*}}definitions.cpp","line":[[#@LINE-4]],"column":1,{{.*}}"macro":"STRUCT","spelling_file":"{{[^"]*}}definitions.cpp","spelling_line":[[#@LINE-4]],"spelling_column":8,
// CHECK: "name":"get<int>",{{.*}}"declared":{"file":"{{[^"]*}}definitions.cpp","line":[[#@LINE-4]],"column":25,
