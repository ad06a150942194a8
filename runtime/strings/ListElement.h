/// \file
/// One element of a list: an entry, or a few bytes of text themselves.
///
/// Flow:   NameBuilder -> [ListElement] -> StringTable::addList
/// Layout: eight bytes, so that lists are hashed and compared as numbers
///
///         a StringId               an entry
///         1 size  bytes            text: the first byte is the lowest one
///         1 7     56 bits
///
///         A number or `int` is shorter than a reference to it and the entry
///         together, and nobody looks it up: it gets none.
#pragma once

#include "runtime/strings/StringId.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace instantrace {

class ListElement {
public:
  static constexpr size_t MaxTextBytes = 7;

  ListElement() = default;
  ListElement(StringId Entry) : Value(Entry.Value & ~TextBit) {}

  /// None when it is empty, too long, or has a byte that is not ASCII or NUL.
  static std::optional<ListElement> text(std::string_view Text);
  /// In decimal; none when it is too long.
  static std::optional<ListElement> number(uint64_t Magnitude, bool IsNegative);

  bool isText() const { return Value & TextBit; }
  size_t textSize() const { return (Value >> 56) & MaxTextBytes; }
  /// Requires: I < textSize().
  char textByte(size_t I) const { return static_cast<char>(Value >> (8 * I)); }
  /// None when this is text.
  StringId entry() const { return isText() ? StringId() : StringId{Value}; }
  /// It is something; an entry that may not exist counts.
  explicit operator bool() const { return Value != 0; }

  /// Equal for equal elements.
  uint64_t value() const { return Value; }
  friend bool operator==(ListElement A, ListElement B) {
    return A.Value == B.Value;
  }

private:
  static constexpr uint64_t TextBit = uint64_t(1) << 63;
  static ListElement ofText(uint64_t Bytes, size_t Size) {
    ListElement E;
    E.Value = TextBit | uint64_t(Size) << 56 | Bytes;
    return E;
  }

  uint64_t Value = 0; // 0 is nothing
};

inline std::optional<ListElement> ListElement::text(std::string_view Text) {
  if (Text.empty() || Text.size() > MaxTextBytes)
    return std::nullopt;
  uint64_t Bytes = 0;
  for (size_t I = Text.size(); I-- != 0;) {
    auto Byte = static_cast<unsigned char>(Text[I]);
    if (Byte == 0 || Byte >= 0x80)
      return std::nullopt;
    Bytes = Bytes << 8 | Byte;
  }
  return ofText(Bytes, Text.size());
}

inline std::optional<ListElement> ListElement::number(uint64_t Magnitude,
                                                      bool IsNegative) {
  uint64_t Bytes = 0;
  size_t Size = 0;
  do {
    if (Size == MaxTextBytes - IsNegative)
      return std::nullopt;
    Bytes = Bytes << 8 | (uint64_t('0') + Magnitude % 10);
    ++Size;
    Magnitude /= 10;
  } while (Magnitude != 0);
  if (IsNegative) {
    Bytes = Bytes << 8 | uint64_t('-');
    ++Size;
  }
  return ofText(Bytes, Size);
}

} // namespace instantrace
