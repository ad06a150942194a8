// What the parser does for the end of a file takes place when it has read the first token of
// the next one. It is that file's, and no other's: here, of a unity build, making the code of all
// functions in a namespace.
// RUN: rm -rf %t && split-file %s %t
// RUN: %clang_instantrace -std=c++17 -fplugin-arg-instantrace-statement-time=20 -fplugin-arg-instantrace-output=%t/x.itrace -fplugin-arg-instantrace-empty=on -c -o %t.o %t/unity.cpp
// RUN: instantrace headers --json -n 0 %t/x.itrace | %python %t/check.py

//--- unity.cpp
#include "first.cpp"
#include "second.cpp"
//--- one.h
int declared();
//--- first.cpp
#define ONE(N) int f##N(int X) { for (int I = 0; I < X; ++I) X += I * N; return X ? X + N : X - N; }
#define TEN(N) ONE(N##0) ONE(N##1) ONE(N##2) ONE(N##3) ONE(N##4) ONE(N##5) ONE(N##6) ONE(N##7) ONE(N##8) ONE(N##9)
#define HUNDRED(N) TEN(N##0) TEN(N##1) TEN(N##2) TEN(N##3) TEN(N##4) TEN(N##5) TEN(N##6) TEN(N##7) TEN(N##8) TEN(N##9)
namespace first {
HUNDRED(1) HUNDRED(2) HUNDRED(3) HUNDRED(4)
}
//--- second.cpp
#include "one.h"
int second() { return 1; }
//--- check.py
import json, sys
Rows = {Row["name"].rsplit("/", 1)[1]: Row for Row in json.load(sys.stdin)["rows"]}
First, Second = Rows["first.cpp"], Rows["second.cpp"]
print(First, Second)
sys.exit(Second["inclusive_ns"] * 5 > First["inclusive_ns"] or Second["own_ns"] * 5 > First["own_ns"])
