/// \file
/// Errors as values: either a T or an Error that names place, found, expected.
///
/// Errors: a message is lower case without full stop; only `main` prints it
#ifndef INSTANTRACE_RUNTIME_BASE_RESULT_H
#define INSTANTRACE_RUNTIME_BASE_RESULT_H

#include <string>
#include <utility>
#include <variant>

namespace instantrace {

struct Error {
  std::string Message;
};

template <class T> class [[nodiscard]] Result {
public:
  Result(T Value) : Storage(std::in_place_index<0>, std::move(Value)) {}
  Result(Error E) : Storage(std::in_place_index<1>, std::move(E)) {}

  explicit operator bool() const { return Storage.index() == 0; }
  /// Requires: *this is true (the same for ->).
  T &operator*() { return *std::get_if<0>(&Storage); }
  const T &operator*() const { return *std::get_if<0>(&Storage); }
  T *operator->() { return std::get_if<0>(&Storage); }
  const T *operator->() const { return std::get_if<0>(&Storage); }
  /// Requires: *this is false.
  const Error &error() const { return *std::get_if<1>(&Storage); }

private:
  std::variant<T, Error> Storage;
};

} // namespace instantrace

#endif
