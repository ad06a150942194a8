// The header of a trace names the compiler, the compile and what it was for.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang_instantrace -target x86_64-unknown-linux-gnu -std=c++17 -O2 -c %s -o made.o
// RUN: instantrace dump --header made.itrace | FileCheck %s -DMAJOR=%clang_major -DHOOK=%if callback %{callback%} %else %{probes%} -DMEMOIZATION=%if callback %{count%} %else %{off%}
template <class T> T twice(T X) { return X + X; }
int use() { return twice(1); }
//      CHECK: trace: made.itrace
// CHECK-NEXT: format: 1.
// CHECK-NEXT: sequence: {{[1-9]}}
// CHECK-NEXT: recorded by: instantrace {{[0-9]+\.[0-9]+\.[0-9]+$}}
// CHECK-NEXT: clang: {{.*}}clang version [[MAJOR]].
// CHECK-NEXT: command: {{.*}} -std=c++17 -O2 -c {{.*}}header-says-what-was-compiled.cpp -o made.o
// CHECK-NEXT: working directory: {{.*}}header-says-what-was-compiled.cpp.tmp
// CHECK-NEXT: input: {{.*}}header-says-what-was-compiled.cpp
// CHECK-NEXT: object: made.o
// CHECK-NEXT: triple: x86_64-unknown-linux-gnu
// CHECK-NEXT: language standard: c++17
// CHECK-NEXT: optimization level: O2
// CHECK-NEXT: pid: {{[1-9]}}
// CHECK-NEXT: started: {{[1-9]}}
// CHECK-NEXT: hook: [[HOOK]]
// CHECK-NEXT: buffer: file
// CHECK-NEXT: clock: {{tsc|monotonic: .*}}
// CHECK-NEXT: memoization: [[MEMOIZATION]]
// CHECK-NEXT: granularity: 0 ns
// CHECK-NEXT: events: {{[1-9]}}
// CHECK-NEXT: time on a processor: {{[1-9]}}
// CHECK-NEXT: not running: {{.*}} time
// CHECK-NEXT: exit: success
// CHECK-NEXT: backend: functions
// CHECK-NEXT: code: {{[1-9]}}
// CHECK-NEXT: peak memory: {{[1-9]}}
