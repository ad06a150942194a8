#include "runtime/base/PrintableText.h"

#include "runtime/base/LogCommands.h"
#include "runtime/base/Utf8.h"

#include <cstdint>

using namespace instantrace;

namespace {

constexpr char Digits[] = "0123456789abcdef";

/// Of two or three bytes, which all hidden ones have.
uint32_t codePoint(std::string_view Character) {
  auto get = [Character](size_t I) {
    return static_cast<uint32_t>(static_cast<unsigned char>(Character[I]));
  };
  if (Character.size() == 2)
    return (get(0) & 0x1F) << 6 | (get(1) & 0x3F);
  if (Character.size() == 3)
    return (get(0) & 0x0F) << 12 | (get(1) & 0x3F) << 6 | (get(2) & 0x3F);
  return 0;
}

} // namespace

bool instantrace::isHiddenCharacter(std::string_view Character) {
  uint32_t Code = codePoint(Character);
  return (Code >= 0x80 && Code < 0xA0) || Code == 0x061C || Code == 0x200E ||
         Code == 0x200F || (Code >= 0x2028 && Code <= 0x202E) ||
         (Code >= 0x2066 && Code <= 0x2069);
}

namespace {

/// Whether nothing is on the line yet that \p Out ends in.
bool isLineBegin(std::string_view Out) {
  size_t Last = Out.find_last_not_of(" \t");
  return Last == Out.npos || Out[Last] == '\n';
}

void appendEscaped(std::string &Out, char Character) {
  auto Byte = static_cast<unsigned char>(Character);
  Out.append({'\\', 'x', Digits[Byte >> 4], Digits[Byte & 15]});
}

void appendCharacters(std::string &Out, std::string_view Text) {
  appendReplacing(
      Out, Text,
      [](std::string_view Character, bool IsWellFormed) {
        return !IsWellFormed || isControl(Character) ||
               isHiddenCharacter(Character);
      },
      [&Out](std::string_view Character, bool) {
        if (Character.size() == 1) {
          appendEscaped(Out, Character.front());
          return;
        }
        uint32_t Code = codePoint(Character);
        Out.append({'\\', 'u', Digits[Code >> 12], Digits[Code >> 8 & 15],
                    Digits[Code >> 4 & 15], Digits[Code & 15]});
      });
}

} // namespace

void instantrace::appendPrintable(std::string &Out, std::string_view Text) {
  breakLogCommands(
      Text, isLineBegin(Out),
      [&Out](std::string_view Piece) { appendCharacters(Out, Piece); },
      [&Out](char Character) { appendEscaped(Out, Character); });
}
