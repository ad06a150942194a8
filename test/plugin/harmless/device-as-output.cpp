// What is no regular file is never replaced: renaming a trace onto /dev/null as
// the superuser would remove the device. A pipe stands for it here.
// RUN: rm -rf %t && mkdir %t && cd %t && mkfifo pipe && ln -s pipe link
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t/pipe -c %s -o a.o 2>&1 | FileCheck %s --match-full-lines
// RUN: test -p pipe && test -s a.o
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t/link -c %s -o b.o 2>&1 | FileCheck %s --match-full-lines
// RUN: test -p link && test -s b.o
// RUN: ls -A . | count 4
template <class T> T twice(T X) { return X + X; }
int use() { return twice(1); }
// CHECK-NOT: {{.}}
// CHECK:     instantrace: warning: {{.*}}/{{pipe|link}}: not a regular file; no profile of this compile
// CHECK-NOT: {{.}}
