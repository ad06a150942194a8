// What the parser does for a statement is an interval at its first token, with the name of the
// function around it, of what ended, or of the namespace; for the body of a member, which is parsed when the class
// has ended, at the member, also before and after what it instantiates.
// What an emulator takes for other lines is above the bound as well.
// UNSUPPORTED: aarch64
// RUN: rm -f %t.itrace && %clang_instantrace -std=c++17 -fplugin-arg-instantrace-statement-time=2000 -fplugin-arg-instantrace-output=%t.itrace -fplugin-arg-instantrace-empty=on -fsyntax-only -w %s
// RUN: instantrace dump --kind Statement %t.itrace | FileCheck %s --implicit-check-not='begin '
// RUN: rm -f %t.itrace && %clang_instantrace -std=c++17 -fplugin-arg-instantrace-events=-line -fplugin-arg-instantrace-output=%t.itrace -fplugin-arg-instantrace-empty=on -fsyntax-only -w %s
// RUN: instantrace dump %t.itrace | FileCheck %s --check-prefix=OFF
// OFF-NOT: {{Statement|ConstantEvaluation}}
constexpr int loop(int N) {
  int Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += I & 3;
  return Sum;
}
int use() {
  // CHECK: begin Statement use {{.*}}.cpp:[[#@LINE+1]]:3
  if constexpr (loop(20000) > 0) {
    // CHECK: begin Statement use {{.*}}.cpp:[[#@LINE+1]]:5
    return sizeof(int[loop(20001)]);
  }
  return 0;
}
template <int> struct Box { static constexpr int Value = loop(20000); };
struct Bodies {
  // CHECK: begin Statement Bodies::first {{.*}}.cpp:[[#@LINE+1]]:7
  int first() {
    static_assert(loop(20002) > 0, "");
    return 1;
  }
  // CHECK: begin Statement Bodies::second {{.*}}.cpp:[[#@LINE+2]]:7
  // CHECK: begin Statement Bodies::second {{.*}}.cpp:[[#@LINE+1]]:7
  int second() {
    static_assert(loop(20003) > 0, "");
    static_assert(Box<1>::Value > 0, "");
    auto Inside = [] { return sizeof(int[loop(20004)]); };
    return Inside();
  }
  template <class T> T third() {
    static_assert(loop(20005) > 0, "");
    return T();
  }
  // CHECK: begin Statement Bodies::fourth {{.*}}.cpp:[[#@LINE+1]]:8
  void fourth() {}
};
// CHECK: begin Statement N {{.*}}.cpp:[[#@LINE+2]]:1
namespace N {
using Wide = int[loop(20006)];
}
