// REQUIRES: templight-dump
// Variable templates and their partial and explicit specializations.
// RUN: %python %S/Inputs/compare-with-templight.py %clangxx %plugin %t %s -std=c++17
// RUN: %check_trace %t.itrace
template <class T> constexpr bool IsPointer = false;
template <class T> constexpr bool IsPointer<T *> = true;
template <> constexpr bool IsPointer<decltype(nullptr)> = true;
template <class T> constexpr T Pi = T(3.14159265358979);
template <int N> inline int Table[N] = {N};
struct Holder {
  template <class T> static constexpr unsigned Size = sizeof(T);
};
static_assert(!IsPointer<int>);
static_assert(IsPointer<int *>);
static_assert(IsPointer<decltype(nullptr)>);
static_assert(Holder::Size<char> == 1);
double area(double R) { return Pi<double> * R * R; }
int first() { return Table<3>[0] + Table<3>[1] + int(Pi<float>); }
