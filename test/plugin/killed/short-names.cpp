// A compile that SIGKILL ends before any whole name was written: each entity is
// called at least what its declaration is called, and a file by the end of its path.
// RUN: rm -rf %t && mkdir -p %t/a-folder-of-a-long-name-so-that-the-path-is-longer-than-a-slot && cd %t
// RUN: cp %S/Inputs/short-names.h a-folder-of-a-long-name-so-that-the-path-is-longer-than-a-slot/short-names.h
// RUN: %clang -shared -fPIC -O1 %S/Inputs/kill-timer.c -o kill-timer.so -ldl
// RUN: %python -c "open('counter', 'wb').write(bytes(8))"
// RUN: env LD_PRELOAD=%t/kill-timer.so INSTANTRACE_CLOCK=monotonic INSTANTRACE_EVENTS=-line KILL_COUNTER=%t/counter KILL_EVENT=0 KILL_DELAY_NS=3600000000000 %clang_instantrace -std=c++17 -I%t/a-folder-of-a-long-name-so-that-the-path-is-longer-than-a-slot -fsyntax-only -fplugin-arg-instantrace-output=%t/whole.itrace %s
// The last event before names are written: the end of PendingInstantiations.
// RUN: %python -c "print(int.from_bytes(open('counter', 'rb').read(), 'little') - 4)" > last
// RUN: %python -c "open('counter', 'wb').write(bytes(8))"
// With check-names, none is written early.
// RUN: %python %S/Inputs/run-killed.py %t/kill-timer.so %t/counter last %clang_instantrace -std=c++17 -fplugin-arg-instantrace-check-names=%t/names -I%t/a-folder-of-a-long-name-so-that-the-path-is-longer-than-a-slot -fsyntax-only -fplugin-arg-instantrace-output=%t/a.itrace %s
// RUN: instantrace recover .a.itrace.buffer | FileCheck %s --check-prefix=LINE --implicit-check-not="without name"
// RUN: instantrace dump a.itrace 2>/dev/null | FileCheck %s
#include "short-names.h"
int Use = use();
// LINE: a.itrace: recovered {{.*}} entities with a short name; the compiler was killed
//     CHECK: begin FileInclusion …/short-names.h
// CHECK-DAG: begin TemplateInstantiation Box<int>{{ }}
// CHECK-DAG: begin DeducedTemplateArgumentSubstitution operator+{{ }}
// CHECK-DAG: begin TemplateInstantiation operator+<…>
// CHECK-DAG: begin TemplateInstantiation Box<int>::operator new<…>
// CHECK-DAG: begin TemplateInstantiation operator()<…>
// CHECK-DAG: begin TemplateInstantiation fold_impl<int, int, int, Box<…>>
// CHECK-DAG: begin TemplateInstantiation Box<int>::Box{{ }}
// CHECK-DAG: begin TemplateInstantiation Box<int>::~Box{{ }}
// CHECK-DAG: begin TemplateInstantiation Box<int>::operator (type)
// CHECK-DAG: begin DeducedTemplateArgumentSubstitution a_function_template_whose_name_has_more_b…{{ }}
// CHECK-DAG: begin TemplateInstantiation a_function_template_whose_name_has_m…<…>
