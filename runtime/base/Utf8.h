/// \file
/// Where characters of UTF-8 begin and end.
///
/// Source: RFC 3629
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace instantrace {

/// U+FFFD, in place of what is no character.
inline constexpr std::string_view ReplacementCharacter = "\xef\xbf\xbd";

/// The bytes of \p Text's longest beginning of up to \p LimitBytes that does
/// not end inside a character. \p Text may be no UTF-8: then it is no more than
/// that.
inline size_t utf8PrefixBytes(std::string_view Text, size_t LimitBytes) {
  size_t Kept = std::min(Text.size(), LimitBytes);
  while (Kept != Text.size() && Kept != 0 &&
         (static_cast<unsigned char>(Text[Kept]) & 0xC0) == 0x80)
    --Kept;
  return Kept;
}

/// Length of the well-formed UTF-8 sequence at the begin of \p Text, 0 if there
/// is none (Unicode 15, table 3-7: no overlong forms, no surrogates).
inline size_t utf8Length(std::string_view Text) {
  auto byteAt = [Text](size_t I) {
    return I < Text.size() ? static_cast<unsigned char>(Text[I]) : 0u;
  };
  auto Within = [&](size_t I, unsigned Low, unsigned High) {
    return byteAt(I) >= Low && byteAt(I) <= High;
  };
  unsigned First = byteAt(0);
  if (First < 0x80)
    return 1;
  if (First >= 0xC2 && First <= 0xDF)
    return Within(1, 0x80, 0xBF) ? 2 : 0;
  if (First >= 0xE0 && First <= 0xEF) {
    unsigned Low = First == 0xE0 ? 0xA0 : 0x80;
    unsigned High = First == 0xED ? 0x9F : 0xBF;
    return Within(1, Low, High) && Within(2, 0x80, 0xBF) ? 3 : 0;
  }
  if (First >= 0xF0 && First <= 0xF4) {
    unsigned Low = First == 0xF0 ? 0x90 : 0x80;
    unsigned High = First == 0xF4 ? 0x8F : 0xBF;
    return Within(1, Low, High) && Within(2, 0x80, 0xBF) &&
                   Within(3, 0x80, 0xBF)
               ? 4
               : 0;
  }
  return 0;
}

/// Appends \p Text, in which \p Append(Character, IsWellFormed) appends
/// something else for what \p Matches(Character, IsWellFormed) holds: a
/// character, or one byte that begins none.
template <class Predicate, class Appender>
void appendReplacing(std::string &Out, std::string_view Text, Predicate Matches,
                     Appender Append) {
  size_t Plain = 0; // where the stretch that needs no change begins
  for (size_t I = 0; I < Text.size();) {
    bool IsAscii = static_cast<unsigned char>(Text[I]) < 0x80;
    size_t Length = IsAscii ? 1 : utf8Length(Text.substr(I));
    std::string_view Character = Text.substr(I, std::max<size_t>(Length, 1));
    if (Matches(Character, Length != 0)) {
      Out.append(Text.substr(Plain, I - Plain));
      Append(Character, Length != 0);
      Plain = I + Character.size();
    }
    I += Character.size();
  }
  Out.append(Text.substr(Plain));
}

} // namespace instantrace
