// REQUIRES: templight-dump
// Names of what has none: parameters, lambdas, unnamed classes, namespaces.
// RUN: %python %S/Inputs/compare-with-templight.py %clangxx %plugin %t %s -std=c++17
// RUN: %check_trace %t.itrace
namespace {
template <class> struct One {};
template <class, int = 4, class = long, template <class> class = One>
struct Unnamed {
  int Value;
};
template <class T> int count(T, int = sizeof(T), int (*)(T) = nullptr) {
  return 1;
}
} // namespace
inline namespace v1 {
namespace detail {
inline namespace abi {
template <class T> struct Tagged {
  T Value;
};
} // namespace abi
} // namespace detail
} // namespace v1
struct {
  int X;
} Object;
enum { Zero, One1 };
template <class T> T copy(T X) { return X; }
Unnamed<int> A;
detail::Tagged<decltype(Object)> B;
int use() {
  auto Lambda = [](int X) { return X; };
  return count(1) + copy(Object).X + copy(Zero) + copy(Lambda)(2) +
         detail::Tagged<int>().Value;
}
