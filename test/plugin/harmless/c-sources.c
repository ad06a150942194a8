/* C has no templates: the same object, and no trace. */
// RUN: %same_without_plugin --traces 0 %clang -std=c11 -O2 -g -Werror -Weverything -Wno-unknown-warning-option -Wno-unsafe-buffer-usage -c %s -o a.o
// RUN: test -s %t.d/run/a.o
int use(int X);
int use(int X) { return X * 2; }
