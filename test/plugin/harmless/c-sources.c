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
// The profiler is not even loaded, unless an option is one that it does not know, or a
// value one that it does not take: it says so in every language.
// RUN: env LD_DEBUG=files LD_DEBUG_OUTPUT=%t.d/loaded %clang -fplugin=%plugin -c %s -o a.o
// RUN: cat %t.d/loaded.* | FileCheck %s --check-prefix=LOADED --implicit-check-not=instantrace-clang-
// RUN: env LD_DEBUG=files LD_DEBUG_OUTPUT=%t.d/with-options %clang -fplugin=%plugin -fplugin-arg-instantrace-output=%t.d/in/ -fplugin-arg-instantrace-verbose=on -fplugin-arg-instantrace-memoization=off -fplugin-arg-instantrace-buffer-size=64 -c %s -o a.o
// RUN: cat %t.d/with-options.* | FileCheck %s --check-prefix=LOADED --implicit-check-not=instantrace-clang-
// RUN: %clang -fplugin=%plugin -fplugin-arg-instantrace-buffer-size=3 -fplugin-arg-instantrace-memoization=some -c %s -o a.o 2>&1 | FileCheck %s --check-prefix=INVALID
// RUN: %clang -fplugin=%plugin -fplugin-arg-instantrace-colour=on -c %s -o a.o 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: env INSTANTRACE_EMPTY=on %clang -fplugin=%plugin -c %s -o b.o
// RUN: instantrace verify b.itrace
// LOADED: instantrace-entry-clang-
// INVALID: instantrace: warning: invalid value '3' for option 'buffer-size'
// INVALID-NEXT: instantrace: warning: invalid value 'some' for option 'memoization'
// UNKNOWN: instantrace: warning: unknown option 'colour'; the options are output,
