#include "list.h"

namespace shop {

template <class T>
concept Amount = requires(T Value) {
  { Value + Value };
  requires lib::is_number<decltype(Value.Cents)>;
};

struct Euro {
  int Cents;
};
constexpr Euro operator+(Euro A, Euro B) { return {A.Cents + B.Cents}; }

template <Amount T> T twice(T Value) { return Value + Value; }

// Candidates that are tried and discarded.
template <class T, class = lib::enable_if_t<lib::is_number<T>>>
int weight(T) {
  return 1;
}
template <class T, lib::enable_if_t<!lib::is_number<T>, int> = 0>
int weight(T) {
  return 2;
}
template <class T> int weight(lib::vector<T>) { return 3; }

} // namespace shop
