// A file that is no trace is not replaced, whoever named it for the trace, and
// what was recorded stays for `recover`.
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s a.cpp && cp %s same.cpp
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=a.cpp -c a.cpp 2>&1 | FileCheck %s --match-full-lines -DDIR=%t
// RUN: cmp a.cpp same.cpp
// RUN: instantrace recover --remove -o a.itrace .a.cpp.buffer && instantrace dump a.itrace | FileCheck %s --check-prefix=RECOVERED
// RUN: env INSTANTRACE_OUTPUT=a.cpp %clang_instantrace -fplugin-arg-instantrace-buffer=private -c a.cpp 2>&1 | FileCheck %s --check-prefix=PRIVATE --match-full-lines -DDIR=%t
// RUN: cmp a.cpp same.cpp
// RUN: ls -A | count 4
// An empty file is nobody's.
// RUN: touch empty && %clang_instantrace -fplugin-arg-instantrace-output=empty -c a.cpp && instantrace verify empty
template <class T> struct Box {
  T Value;
};
Box<int> Use;
//     CHECK: instantrace: warning: [[DIR]]/a.cpp: found a file that is no trace, expected none or a trace; for the profile until then: instantrace recover [[DIR]]/.a.cpp.buffer
// CHECK-NOT: {{.+}}
// RECOVERED: Box<int>
//     PRIVATE: instantrace: warning: [[DIR]]/a.cpp: found a file that is no trace, expected none or a trace; no profile of this compile
// PRIVATE-NOT: {{.+}}
