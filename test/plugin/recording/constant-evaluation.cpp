// What Clang evaluates outside template work is an interval at the declaration, with its name.
// The bound is far below what these take and above what all else does.
// What an emulator takes for other lines is above the bound as well.
// UNSUPPORTED: aarch64
// RUN: rm -f %t.itrace && %clang_instantrace -std=c++17 -fplugin-arg-instantrace-statement-time=2000 -fplugin-arg-instantrace-output=%t.itrace -fplugin-arg-instantrace-empty=on -fsyntax-only -w %s
// RUN: instantrace verify %t.itrace
// RUN: instantrace dump --kind ConstantEvaluation %t.itrace | FileCheck %s --implicit-check-not='begin '
constexpr int loop(int N) {
  int Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += I & 3;
  return Sum;
}
// CHECK: begin ConstantEvaluation First {{.*}}.cpp:[[#@LINE+1]]:15
constexpr int First = loop(20000);
// CHECK: begin ConstantEvaluation N::Member::Value {{.*}}.cpp:[[#@LINE+3]]:24
namespace N {
struct Member {
  static constexpr int Value = loop(20001);
};
// CHECK: begin ConstantEvaluation N::{{.*}}One {{.*}}.cpp:[[#@LINE+2]]:16
// CHECK: begin ConstantEvaluation N::{{.*}}Two {{.*}}.cpp:[[#@LINE+1]]:35
enum E { Zero, One = loop(20002), Two = loop(20003) };
} // namespace N
// CHECK: begin ConstantEvaluation <unnamed> {{.*}}.cpp:[[#@LINE+1]]:
static_assert(loop(20004) > 0, "");
// CHECK: begin ConstantEvaluation A {{.*}}.cpp:[[#@LINE+2]]:15
// CHECK: begin ConstantEvaluation B {{.*}}.cpp:[[#@LINE+1]]:32
constexpr int A = loop(20005), B = loop(20006);
// CHECK: begin ConstantEvaluation {{.*}}Local {{.*}}.cpp:[[#@LINE+2]]:26
int use() {
  { static constexpr int Local = loop(20007); return Local; }
}
// CHECK: begin ConstantEvaluation Global {{.*}}.cpp:[[#@LINE+1]]:5
int Global = loop(20008);
#define CONSTANT(NAME) constexpr int NAME = loop(20009)
// CHECK: begin ConstantEvaluation InMacro {{.*}}.cpp:[[#@LINE+1]]:1
CONSTANT(InMacro);
// An initializer goes on in another file, and the last one has no more behind it.
// CHECK: begin ConstantEvaluation Several {{.*}}.cpp:[[#@LINE+1]]:15
constexpr int Several[] = {1,
#include "Inputs/one-more.inc"
                           loop(20010)};
// CHECK: begin ConstantEvaluation WithLambda {{.*}}.cpp:[[#@LINE+1]]:16
constexpr auto WithLambda = [] { int Sum = loop(20011); return Sum; }();
