// A lambda is named by where it stands.
// RUN: %clang_instantrace -std=c++17 -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --no-phases --kind TemplateInstantiation %t | FileCheck %s
template <class F> int call(F Function) { return Function(1); }
int Result = call([](int X) { return X; });
// CHECK: begin TemplateInstantiation call<(lambda at {{.*}}names-of-lambdas.cpp:[[#@LINE-1]]:19)> {{.*}}:[[#@LINE-1]]:14
