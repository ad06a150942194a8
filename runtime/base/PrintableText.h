/// \file
/// Text for people: the one place that decides what a terminal, an editor or a
/// page may be given of what a file says.
///
/// Source: ECMA-48 (C0 and C1 controls); Unicode 15, UAX #9 (bidirectional
///         formatting) and UTR #36
#pragma once

#include <string>
#include <string_view>

namespace instantrace {

/// Whether \p Character is a C0 control or DEL.
inline bool isControl(std::string_view Character) {
  auto Byte = static_cast<unsigned char>(Character.front());
  return Byte < 0x20 || Byte == 0x7F;
}

/// Whether \p Character, one of two bytes and more in UTF-8, changes what
/// others look like: a C1 control, a line separator, a bidirectional override
/// or mark.
bool isHiddenCharacter(std::string_view Character);

/// Control characters, which could move the cursor or fake a line, and bytes
/// that are no UTF-8, which a terminal may take for some, appear as \xNN;
/// hidden characters as \uNNNN.
void appendPrintable(std::string &Out, std::string_view Text);

inline std::string printableText(std::string_view Text) {
  std::string Out;
  appendPrintable(Out, Text);
  return Out;
}

} // namespace instantrace
