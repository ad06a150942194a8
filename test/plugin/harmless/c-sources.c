/* C has no templates: the same object, and no trace. */
// RUN: %same_without_plugin --traces 0 %clang -std=c11 -O2 -g -Werror -Weverything -Wno-unknown-warning-option -Wno-unsafe-buffer-usage -c %s -o a.o
// RUN: test -s %t.d/run/a.o
int use(int X);
int use(int X) { return X * 2; }
// Nothing is kept for it while it runs either: no buffer is made, unless a trace is
// asked for.
// RUN: mkdir -p %t.d/in && cd %t.d/in
// RUN: %clang -fplugin=%plugin -fplugin-arg-instantrace-verbose=on -fplugin-arg-instantrace-buffer=%t.d/none/ -c %s -o a.o 2>&1 | count 0
// RUN: %clang -fplugin=%plugin -fplugin-arg-instantrace-empty=on -c %s -o a.o
// RUN: instantrace verify a.itrace
