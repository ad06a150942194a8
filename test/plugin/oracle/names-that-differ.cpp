// REQUIRES: templight-dump
// Where our names and -templight-dump's differ: the events are still the same.
//
// Ours have canonical types, so that a name does not depend on when it is made:
//   Later     Clang prints an explicit instantiation as it was written, once
//             there is one
// Ours are made in batches, the dump prints each at its event, so what becomes
// known in between is not in it:
//   H         building implicit deduction guides moves the parameters of the
//             class template into a function, which prints no scope
// The dump prints the owner of an unnamed parameter with another policy than
// all other names, one that leaves default template arguments out:
//   Map, Test
// RUN: %python %S/Inputs/compare-with-templight.py \
// RUN:   --differs "Later<Text<char, Traits<char>>>" "Later<Text<char>>" \
// RUN:   --differs "H" "Map::H" \
// RUN:   --differs "unnamed function parameter 2 of Map<int, Hash<int>>::Map" "unnamed function parameter 2 of Map<int>::Map" \
// RUN:   --differs "unnamed template type parameter 1 of Test<int, int>::call" "unnamed template type parameter 1 of Test<int>::call" \
// RUN:   %clangxx %plugin %t %s -std=c++17
// RUN: %check_trace %t.itrace
template <class T> struct Traits {};
template <class T, class A = Traits<T>> struct Text {
  T *Data = nullptr;
};
template <class T> struct Iterator {
  T *At;
};
Iterator<Text<char>> First;
extern template struct Text<char>;
template <class T> struct Later {
  T *At;
};
Later<Text<char>> Second;
template <class T> struct Hash {};
template <class K, class H = Hash<K>> struct Map {
  using Size = unsigned;
  Map(K, Size, H = H()) {}
};
template <class K> Map(K, typename Map<int>::Size) -> Map<K>;
Map M(1, 2U);
template <class T, class A = int> struct Test {
  template <class U, class = U> static U call(U X) { return X; }
};
int I = Test<int>::call(3);
