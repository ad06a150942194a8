// What else a compile writes is the same: dependencies, preprocessed text,
// saved temporaries, a serialized AST.
// RUN: %same_without_plugin %clangxx -std=c++17 -MD -MF a.d -MT target -c %s -o a.o
// RUN: %same_without_plugin --traces 0 %clangxx -std=c++17 -E %s -o a.ii
// RUN: %same_without_plugin %clangxx -std=c++17 -save-temps -O1 -c %s -o a.o
// RUN: %same_without_plugin %clangxx -std=c++17 -emit-ast %s -o a.ast {then} -c a.ast -o a.o
template <class T> T twice(T X) { return X + X; }
int use() { return twice(1); }
