// A plugin that watches tokens gets each of them, loaded before ours or after it; ours still
// has its lines where it comes later.
// REQUIRES: oldest-clang || newest-clang
// RUN: %clangxx -shared -fPIC -std=c++17 -fno-rtti -w -isystem "%llvm_prefix"%clang_major/include %S/Inputs/token-watcher.cpp -o %t.so
//
// RUN: %clangxx -fplugin=%t.so -std=c++17 -fsyntax-only %s 2> %t.alone
// RUN: env INSTANTRACE_STATEMENT_TIME=20 INSTANTRACE_EMPTY=on INSTANTRACE_OUTPUT=%t.before.itrace %clangxx -fplugin=%t.so -fplugin=%plugin -std=c++17 -fsyntax-only %s 2> %t.before
// RUN: instantrace verify %t.before.itrace
// RUN: instantrace dump --kind ConstantEvaluation %t.before.itrace | FileCheck %s
// RUN: env INSTANTRACE_STATEMENT_TIME=20 INSTANTRACE_EMPTY=on INSTANTRACE_OUTPUT=%t.after.itrace %clangxx -fplugin=%plugin -fplugin=%t.so -std=c++17 -fsyntax-only %s 2> %t.after
// RUN: instantrace verify %t.after.itrace
// RUN: grep "^[1-9].* tokens, [1-9]" %t.alone
// RUN: cmp %t.alone %t.before
// RUN: cmp %t.alone %t.after
constexpr int loop(int N) { int Sum = 0; for (int I = 0; I < N; ++I) Sum += I & 3; return Sum; }
// CHECK: begin ConstantEvaluation First
constexpr int First = loop(40000);
template <class T> struct Box { T Value; T get() { return Value; } };
int use() { return Box<int>{First}.get(); }
