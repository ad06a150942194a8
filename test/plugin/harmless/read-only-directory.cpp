// UNSUPPORTED: root
// A directory without permission to write (which the superuser always has).
// RUN: rm -rf %t && mkdir -p %t/closed && cd %t && chmod 555 closed
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=closed/ -c %s -o a.o >out 2>err
// RUN: chmod 755 closed && test -s a.o
// RUN: FileCheck %s --match-full-lines < err
// RUN: cat out | count 0
// RUN: ls -A closed | count 0
template <class T> T twice(T X) { return X + X; }
int use() { return twice(1); }
// CHECK-NOT: {{.}}
// CHECK:     instantrace: warning: {{.*}}closed/read-only-directory-{{.*}}.itrace: Permission denied; no profile of this compile
// CHECK-NOT: {{.}}
