/// \file
/// Which values an option takes, as far as their text alone decides.
///
/// Leaves: what is said of a value that is not taken, to Options.cpp
#pragma once

#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

namespace instantrace {

/// `key=value`, or `key` alone, with an empty value.
inline std::pair<std::string_view, std::string_view>
splitOption(std::string_view Argument) {
  size_t Equals = Argument.find('=');
  if (Equals == std::string_view::npos)
    return {Argument, {}};
  return {Argument.substr(0, Equals), Argument.substr(Equals + 1)};
}

inline std::optional<bool> switchValue(std::string_view Value) {
  if (Value.empty() || Value == "on" || Value == "1" || Value == "true")
    return true;
  if (Value == "off" || Value == "0" || Value == "false")
    return false;
  return std::nullopt;
}

inline std::optional<uint64_t> numberValue(std::string_view Value,
                                           uint64_t Least, uint64_t Most) {
  uint64_t Number = 0;
  const char *Begin = Value.data(), *ValueEnd = Begin + Value.size();
  auto [End, Code] = std::from_chars(Begin, ValueEnd, Number);
  if (Code != std::errc() || End != ValueEnd || Number < Least || Number > Most)
    return std::nullopt;
  return Number;
}

/// Whether \p Argument is of an option that is known, with a value that it
/// takes. False where only a parser of its own can tell.
inline bool isPlainOption(std::string_view Argument) {
  auto [Name, Value] = splitOption(Argument);
  auto IsOneOf = [Value = Value](std::initializer_list<std::string_view> All) {
    for (std::string_view Known : All)
      if (Known == Value)
        return true;
    return false;
  };
#define OPTION_SWITCH(Member, Key, Variable, Meaning)                          \
  if (Name == Key)                                                             \
    return switchValue(Value).has_value();
#define OPTION_NUMBER(Member, Default, Key, Variable, Unit, Least, Most,       \
                      Meaning)                                                 \
  if (Name == Key)                                                             \
    return numberValue(Value, Least, Most).has_value();
#define OPTION_TEXT(Member, Key, Variable, Shape, Expected, Meaning)           \
  if (Name == Key)                                                             \
    return !Value.empty();
#define OPTION_VALUE(Text, Enumerator) Text,
#define OPTION_CHOICE(Member, Type, Default, Key, Variable, Values, Meaning)   \
  if (Name == Key)                                                             \
    return IsOneOf({Values});
#include "plugin/Options.def"
#undef OPTION_VALUE
  return false;
}

} // namespace instantrace
