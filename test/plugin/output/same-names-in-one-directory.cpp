// Files of one name do not meet in a directory of traces: neither those of
// different folders, nor one file that is compiled to two objects, nor one
// object name in two working directories.
// RUN: rm -rf %t && mkdir -p %t/one %t/two && cd %t && cp %s one/main.cpp && cp %s two/main.cpp
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t/all/ -c one/main.cpp -o one/main.o
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t/all/ -c two/main.cpp -o two/main.o
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t/all/ -c one/main.cpp -o again.o
// RUN: cd %t/one && %clang_instantrace -fplugin-arg-instantrace-output=%t/all/ -c main.cpp
// RUN: cd %t/two && %clang_instantrace -fplugin-arg-instantrace-output=%t/all/ -c main.cpp
// RUN: cd %t/two && %clang_instantrace -fplugin-arg-instantrace-output=%t/all/ -fsyntax-only main.cpp
// RUN: cd %t/two && %clang_instantrace -fplugin-arg-instantrace-output=%t/all/ -DX -fsyntax-only main.cpp
// RUN: find %t/all -name 'main-*.itrace' | count 7
// RUN: instantrace verify %t/all
template <class T> struct Box {
  T Value;
};
Box<int> Use;
