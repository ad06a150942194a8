#include "runtime/base/PrintableText.h"

#include "runtime/base/Utf8.h"

#include <cstdint>

using namespace instantrace;

namespace {

constexpr char Digits[] = "0123456789abcdef";

/// Of two or three bytes, which all hidden ones have.
uint32_t codePoint(std::string_view Character) {
  auto At = [Character](size_t I) {
    return static_cast<uint32_t>(static_cast<unsigned char>(Character[I]));
  };
  if (Character.size() == 2)
    return (At(0) & 0x1F) << 6 | (At(1) & 0x3F);
  if (Character.size() == 3)
    return (At(0) & 0x0F) << 12 | (At(1) & 0x3F) << 6 | (At(2) & 0x3F);
  return 0;
}

} // namespace

bool instantrace::isHiddenCharacter(std::string_view Character) {
  uint32_t Code = codePoint(Character);
  return (Code >= 0x80 && Code < 0xA0) || Code == 0x061C || Code == 0x200E ||
         Code == 0x200F || (Code >= 0x2028 && Code <= 0x202E) ||
         (Code >= 0x2066 && Code <= 0x2069);
}

void instantrace::appendPrintable(std::string &Out, std::string_view Text) {
  size_t Plain = 0; // where the stretch that needs no change begins
  for (size_t I = 0; I < Text.size();) {
    auto Byte = static_cast<unsigned char>(Text[I]);
    if (Byte >= 0x20 && Byte < 0x7F) {
      ++I;
      continue;
    }
    size_t Length = Byte < 0x80 ? 0 : utf8Length(Text.substr(I));
    std::string_view Character = Text.substr(I, Length);
    if (Length != 0 && !isHiddenCharacter(Character)) {
      I += Length;
      continue;
    }
    Out.append(Text.substr(Plain, I - Plain));
    if (Length == 0) {
      Out.append({'\\', 'x', Digits[Byte >> 4], Digits[Byte & 15]});
    } else {
      uint32_t Code = codePoint(Character);
      Out.append({'\\', 'u', Digits[Code >> 12], Digits[Code >> 8 & 15],
                  Digits[Code >> 4 & 15], Digits[Code & 15]});
    }
    I += Length == 0 ? 1 : Length;
    Plain = I;
  }
  Out.append(Text.substr(Plain));
}
