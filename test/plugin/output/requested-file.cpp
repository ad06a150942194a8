// output=FILE names the trace; its directory is made.
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s a.cpp
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=new/deep/chosen.name -c a.cpp
// RUN: instantrace verify new/deep/chosen.name
// RUN: env INSTANTRACE_OUTPUT=from-environment %clang_instantrace -c a.cpp
// RUN: instantrace verify from-environment
// RUN: env INSTANTRACE_OUTPUT=unused %clang_instantrace -fplugin-arg-instantrace-output=argument -c a.cpp
// RUN: instantrace verify argument
// RUN: not ls unused
// RUN: find . -name '*.itrace' | count 0
template <class T> struct Box {
  T Value;
};
Box<int> Use;
