// A warning that cannot be written is lost, and changes nothing: stderr is full,
// closed, or a pipe that nobody reads, which would be a fatal error of LLVM's
// stream or a signal.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %python %S/Inputs/unwritable-stderr.py a.o %clangxx -- -fplugin=%plugin -fplugin-arg-instantrace-nonsense=1 -- -c %s -o a.o
// RUN: %python %S/Inputs/unwritable-stderr.py a.o %clangxx -- -fplugin=%plugin -fplugin-arg-instantrace-verbose -- -c %s -o a.o
// The loader alone, without a module for this Clang:
// RUN: cp %plugin .
// RUN: %python %S/Inputs/unwritable-stderr.py a.o %clangxx -- -fplugin=./libinstantrace.so -- -c %s -o a.o
template <class T> T twice(T X) { return X + X; }
int use() { return twice(1); }
