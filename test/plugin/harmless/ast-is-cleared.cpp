// Clang frees its AST before code generation with the plugin where it does so
// without, and keeps it for a plugin that wants it afterwards.
// REQUIRES: oldest-clang || newest-clang
// RUN: %clangxx -shared -fPIC -std=c++17 -fno-rtti -w -isystem "%llvm_prefix"%clang_major/include %S/Inputs/ast-watcher.cpp -o %t.so
//
// RUN: %clangxx -fplugin=%t.so -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=CLEARED
// RUN: %clangxx -fplugin=%plugin -fplugin=%t.so -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=CLEARED
// RUN: env WATCH_AFTER=on-request %clangxx -fplugin=%plugin -fplugin=%t.so -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=CLEARED
// RUN: %clangxx -fplugin=%plugin -fplugin=%t.so -Xclang -no-clear-ast-before-backend -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: env WATCH_AFTER=always %clangxx -fplugin=%t.so -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WANTED
// RUN: env WATCH_AFTER=always %clangxx -fplugin=%plugin -fplugin=%t.so -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WANTED
// RUN: env WATCH_AFTER=always %clangxx -fplugin=%t.so -fplugin=%plugin -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WANTED
// RUN: env WATCH_AFTER=on-request %clangxx -fplugin=%plugin -fplugin=%t.so -Xclang -add-plugin -Xclang watch-after -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WANTED
// RUN: instantrace verify %t.itrace
template <class T> T twice(T X) { return X + X; }
int use() { return twice(1); }

// CLEARED: before code generation: is to be cleared: 1
// CLEARED-NOT: after code generation
// KEPT: before code generation: is to be cleared: 0
// WANTED: before code generation: is to be cleared: 0
// WANTED: after code generation: AST is there
