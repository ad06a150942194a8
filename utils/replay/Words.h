/// \file
/// Words of a command line of the debugger.
#pragma once

#include "runtime/base/Result.h"
#include "runtime/base/TrimmedText.h"

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace instantrace {

/// Takes the first word of \p Rest, which has then no space in front.
inline std::string_view takeWord(std::string_view &Rest) {
  Rest = trimmed(Rest);
  std::string_view Word = Rest.substr(0, Rest.find_first_of(" \t"));
  Rest = trimmed(Rest.substr(Word.size()));
  return Word;
}

/// The whole text is a number.
inline bool parseNumber(std::string_view Text, uint64_t &Into) {
  const char *End = Text.data() + Text.size();
  auto [Behind, Failed] = std::from_chars(Text.data(), End, Into);
  return Failed == std::errc() && Behind == End;
}

inline Result<uint64_t> numberOf(std::string_view Text,
                                 const std::string &Expected) {
  uint64_t Value = 0;
  if (!parseNumber(Text, Value))
    return makeError(
        {}, Text.empty() ? "nothing" : "'" + std::string(Text) + "'", Expected);
  return Value;
}

/// Once where nothing is written.
inline Result<uint64_t> countOf(std::string_view Text,
                                const std::string &Expected) {
  return Text.empty() ? Result<uint64_t>(1) : numberOf(Text, Expected);
}

} // namespace instantrace
