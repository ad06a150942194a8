/// \file
/// Errors as values: either a T or an Error that names place, found, expected.
///
/// Errors: a message is lower case without full stop; only `main` prints it
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace instantrace {

/// Whose fault it is, which the exit code of the tool tells.
enum class ErrorKind {
  BadInput, ///< of files, processes, the system
  Usage,    ///< of the arguments, whatever they are about
};

struct Error {
  std::string Message;
  ErrorKind Kind = ErrorKind::BadInput;
  /// Of work that goes on after a failure: what else failed, in order.
  std::vector<Error> Others = {};
};

/// "PLACE: found FOUND, expected EXPECTED"; without a place, as of an option,
/// it begins with what was found.
inline Error makeError(std::string_view Place, std::string_view Found,
                       std::string_view Expected) {
  std::string Message(Place);
  Message.append(Place.empty() ? "found " : ": found ").append(Found);
  Message.append(", expected ").append(Expected);
  return {std::move(Message)};
}

/// The same error, as one of the arguments.
inline Error usageError(Error E) {
  E.Kind = ErrorKind::Usage;
  return E;
}
inline Error usageError(std::string Message) {
  return {std::move(Message), ErrorKind::Usage};
}

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

/// Of what has nothing to give but that it worked.
template <> class [[nodiscard]] Result<void> {
public:
  Result() = default;
  Result(Error E) : Failure(std::move(E)) {}

  explicit operator bool() const { return !Failure; }
  /// Requires: *this is false.
  const Error &error() const { return *Failure; }

private:
  std::optional<Error> Failure;
};

} // namespace instantrace

/// Hands the error of a Result on to the caller, if there is one; what \p
/// Explain makes of it: INSTANTRACE_TRY_AS(usageError, setLimit(Text));
#define INSTANTRACE_TRY_AS(Explain, ...)                                       \
  do {                                                                         \
    if (auto &&Tried = (__VA_ARGS__); !Tried)                                  \
      return Explain(Tried.error());                                           \
  } while (false)
#define INSTANTRACE_TRY(...) INSTANTRACE_TRY_AS(, __VA_ARGS__)

/// Declares \p Declaration with the value of a Result, or hands its error on:
/// INSTANTRACE_TRY_ASSIGN(Trace T, openTrace(Path));
#define INSTANTRACE_TRY_ASSIGN(Declaration, ...)                               \
  INSTANTRACE_TRY_ASSIGN_AS(, Declaration, __VA_ARGS__)
#define INSTANTRACE_TRY_ASSIGN_AS(Explain, Declaration, ...)                   \
  INSTANTRACE_TRY_ASSIGN_NAMED(INSTANTRACE_TRIED(__LINE__), Explain,           \
                               Declaration, __VA_ARGS__)
#define INSTANTRACE_TRY_ASSIGN_NAMED(Name, Explain, Declaration, ...)          \
  auto Name = (__VA_ARGS__);                                                   \
  if (!Name)                                                                   \
    return Explain(Name.error());                                              \
  Declaration = std::move(*Name)
#define INSTANTRACE_TRIED(Number) INSTANTRACE_TRIED_NUMBER(Number)
#define INSTANTRACE_TRIED_NUMBER(Number) Tried##Number
