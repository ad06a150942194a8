// What is done outside of templates is in the phases of the compile.
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -c %s -o %t.o
// RUN: instantrace dump %t | FileCheck %s --strict-whitespace
template <class T> T twice(T X) { return X + X; }
int use() { return twice(1); }
//      CHECK:{{^}}begin    Frontend <unnamed> <no location>
// CHECK-NEXT:{{^}}begin      Parsing <unnamed> <no location>
// CHECK-NEXT:{{^}}begin        FileInclusion {{.*}}phases-with-code-generation.cpp <no location>
//      CHECK:{{^}}end          FileInclusion
// CHECK-NEXT:{{^}}end        Parsing
// CHECK-NEXT:{{^}}begin      PendingInstantiations <unnamed> <no location>
// CHECK-NEXT:{{^}}begin        TemplateInstantiation twice<int>
// CHECK-NEXT:{{^}}end          TemplateInstantiation twice<int>
// CHECK-NEXT:{{^}}end        PendingInstantiations
// CHECK-NEXT:{{^}}begin      Profiling <unnamed> <no location>
// CHECK-NEXT:{{^}}end        Profiling
// CHECK-NEXT:{{^}}begin      CodeGeneration <unnamed> <no location>
// CHECK-NEXT:{{^}}end        CodeGeneration
// CHECK-NEXT:{{^}}end      Frontend
