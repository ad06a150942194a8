// Where no trace can be written: one warning line, exit code 0, the object.
// RUN: rm -rf %t && mkdir %t && cd %t && echo > file
// RUN: %clang_instantrace -Werror -fplugin-arg-instantrace-output=/proc/nope/x.itrace -c %s -o a.o >>out 2>proc.err
// RUN: FileCheck %s --match-full-lines --check-prefix=PROC < proc.err
// RUN: %clang_instantrace -Werror -fplugin-arg-instantrace-output=%t/file/x.itrace -c %s -o b.o >>out 2>file.err
// RUN: FileCheck %s --match-full-lines --check-prefix=FILE < file.err
// RUN: %clang_instantrace -Werror -fplugin-arg-instantrace-output=%t/file/below/ -c %s -o c.o >>out 2>below.err
// RUN: FileCheck %s --match-full-lines --check-prefix=BELOW < below.err
// RUN: %clangxx -c %s -o without.o
// RUN: cmp a.o without.o && cmp b.o without.o && cmp c.o without.o
// RUN: count 0 < out
template <class T> T twice(T X) { return X + X; }
int use() { return twice(1); }
// PROC-NOT:  {{.}}
// PROC:      instantrace: warning: /proc/nope/x.itrace: No such file or directory; no profile of this compile
// PROC-NOT:  {{.}}
// FILE-NOT:  {{.}}
// FILE:      instantrace: warning: {{.*}}/file/x.itrace: Not a directory; no profile of this compile
// FILE-NOT:  {{.}}
// BELOW-NOT: {{.}}
// BELOW:     instantrace: warning: {{.*}}/file/below/unwritable-output-{{[0-9a-f]+}}.itrace: Not a directory; no profile of this compile
// BELOW-NOT: {{.}}
