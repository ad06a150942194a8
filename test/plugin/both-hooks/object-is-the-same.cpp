// Two profilers in one compiler change its object as little as one does.
// REQUIRES: callback
// RUN: rm -rf %t && mkdir %t
// RUN: %clangxx -c %s -o %t/plain.o
// RUN: %both_hooks -fplugin-arg-instantrace_hooks-output=%t/x -c %s -o %t/both.o
// RUN: cmp %t/plain.o %t/both.o
// RUN: instantrace verify %t/x.callback.itrace %t/x.observer.itrace
template <class T> struct Box {
  T Value;
  T get() const { return Value; }
};
int first() { return Box<int>{1}.get(); }
