// Default arguments are entries of their own, at every level, and what is left
// is what Clang's diagnostics print.
// RUN: %python %S/Inputs/check-names.py %plugin %t %clangxx %s -std=c++17
// RUN: instantrace dump --format=textproto %t.itrace | FileCheck %s
template <class T> struct Allocator {};
template <class T, class A = Allocator<T>> struct Vector {};
template <class K, class V = Vector<K>, int N = 3> struct Map {};
template <class T = int, class... More> struct Rest {};
template <template <class> class A = Allocator, bool B = true> struct Box {};
template <class T, class U = T *> int use() { return 1; }
int A = use<Map<char>>() + use<Rest<>>() + use<Box<>>() + use<Map<int, int>>();
Map<char, Vector<char, Allocator<char>>, 3> Spelled;
Map<char, Vector<char, Allocator<long>>, 3> Other;
// CHECK:      marked_name: ", \000"
// CHECK-NEXT: marker_ids: {{[0-9]+}}
// CHECK-NEXT: part: NAME_PART_DEFAULT_ARGUMENTS
