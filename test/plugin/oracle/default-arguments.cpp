// REQUIRES: templight-dump
// Default template arguments and default function arguments.
// RUN: %python %S/Inputs/compare-with-templight.py %clangxx %plugin %t %s -std=c++17
// RUN: %check_trace %t.itrace
template <class T> struct Less {
  bool operator()(const T &A, const T &B) const { return A < B; }
};
template <class K, class V = K, class C = Less<K>> struct Map {
  C Compare;
  V find(K Key, V Default = V(), bool Strict = sizeof(K) > 2) {
    return Strict && Compare(Key, Key) ? V() : Default;
  }
};
template <class T = int, int N = sizeof(T)> T fill(T Start = T(N)) {
  return Start;
}
template <class T> int unnamed(T, int = sizeof(T), T = T()) { return 1; }
Map<int> A;
Map<long, char> B;
int use() {
  return A.find(1) + B.find(2, 'c') + fill() + fill<char>() + unnamed(3L);
}
