// Line markers of preprocessed source give the intervals of the files that were
// included, and the locations of the original lines.
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -fsyntax-only -x c++-cpp-output %s
// RUN: instantrace dump --kind FileInclusion --kind TemplateInstantiation %t | FileCheck %s
# 1 "original.cpp"
# 1 "header.h" 1
template <class T> struct Box { T Value; };
int InHeader = sizeof(Box<int>);
# 7 "original.cpp" 2
int InMain = sizeof(Box<long>);
//      CHECK: begin FileInclusion header.h
// CHECK-NEXT: begin   TemplateInstantiation Box<int> header.h:2:16
//      CHECK: end   FileInclusion header.h
// CHECK-NEXT: begin TemplateInstantiation Box<long> original.cpp:7:14
//      CHECK: end TemplateInstantiation Box<long> original.cpp:7:14 definition
