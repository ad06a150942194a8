// C++ without a template, and without a member that Clang has to synthesize, has
// no events and so no trace.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang_instantrace -c %s -o a.o 2>&1 | count 0
// RUN: find . -name '*itrace*' | count 0
struct Plain {
  int Value;
};
int read(const Plain &From) { return From.Value; }
