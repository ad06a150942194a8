// REQUIRES: clang-ge-22, templight-dump
// A name that differs from -templight-dump's for the same reason as those in
// names-that-differ.cpp: the struct gets its name from the typedef, at the end
// of the declaration. Earlier Clangs have no event there.
// RUN: %python %S/Inputs/compare-with-templight.py \
// RUN:   --differs "State::(unnamed union at %s:%(line+4):3)" "(unnamed struct)::(unnamed union at %s:%(line+4):3)" \
// RUN:   %clangxx %plugin %t %s -std=c++17
typedef struct {
  int A;
  union {
    int B;
    char C;
  } V;
} State;
template <class T> T twice(T X) { return X; }
State S = twice(State());
