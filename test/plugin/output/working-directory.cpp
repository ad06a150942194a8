// With -working-directory a relative name of an object is below that folder, and so
// is the trace beside it; two such folders do not meet.
// RUN: rm -rf %t && mkdir -p %t/one %t/two && cd %t && cp %s one/a.cpp && cp %s two/a.cpp
// RUN: %clang_instantrace -working-directory=%t/one -c a.cpp -o a.o
// RUN: %clang_instantrace -working-directory=%t/two -c a.cpp -o a.o
// RUN: instantrace verify one/a.itrace two/a.itrace
// RUN: find . -type f | sort | FileCheck %s
// RUN: instantrace dump --header two/a.itrace | FileCheck %s --check-prefix=FOLDER -DDIR=%t
// Without the option it is where the compiler runs, and ends with no slash.
// RUN: cd %t/one && %clang_instantrace -c a.cpp -o b.o && cd %t
// RUN: instantrace dump --header %t/one/b.itrace | FileCheck %s --check-prefix=HERE -DDIR=%t
// And an output that has no place beside it has none there either.
// RUN: %clang_instantrace -working-directory=%t/one -c a.cpp -o /dev/null
// RUN: ls one | FileCheck %s --check-prefix=NULL
template <class T> struct Box {
  T Value;
};
Box<int> Use;
//      CHECK: ./one/a.cpp
// CHECK-NEXT: ./one/a.itrace
// CHECK-NEXT: ./one/a.o
// CHECK-NEXT: ./two/a.cpp
// CHECK-NEXT: ./two/a.itrace
// CHECK-NEXT: ./two/a.o
//  CHECK-NOT: {{.}}
// FOLDER: [[DIR]]/two
// HERE: working directory: [[DIR]]/one{{$}}
// NULL: a-{{[0-9a-f]+}}.itrace
