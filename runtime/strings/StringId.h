/// \file
/// The ids of strings, and how their range is divided.
///
/// Flow:   client -> StringTable (StringId) -> dictionary in a file (NameId)
/// Layout: a StringId has 40 bits, so that a reference to one takes six bytes
///         in the table and a terabyte of string data has addresses:
///
///         0                           none
///                    1..LastVirtual   chosen by the client, mapped later
///         Metadata                    what is recorded; mapped likewise
///         TableFull                   of a string that found no room
///         FirstMark..LastMark         what part of a name an entry is
///         FirstByte..LastByte         a byte that is no text: 0xFE, 0xFF,
///                                     which begin a reference, end an entry
///         FirstRegular..LastRegular   FirstRegular + address in the table
///
///         What lies between is kept for later versions. Nothing of this is in
///         a file: there, names are numbered from 1 in the order of definition.
/// Source: measureme's StringId, whose 32-bit addresses wrapped (its issue 214)
#pragma once

#include "runtime/strings/NamePart.h"

#include <cstdint>

namespace instantrace {

enum class StringIdKind : uint8_t {
  None,
  Virtual,
  Metadata,
  TableFull,
  Mark,
  Byte,
  Regular,
  Unassigned, ///< no id
};

/// A string of a StringTable.
struct StringId {
  uint64_t Value = 0; // 0 is "no string"

  static constexpr uint64_t LastVirtual = 0x7FFF'FFFF;
  static constexpr uint64_t Metadata = 0x8000'0000;
  static constexpr uint64_t TableFull = 0x8000'0001;
  static constexpr uint64_t Invalid = 0x8000'0002;   // never assigned
  static constexpr uint64_t FirstMark = 0x8000'0100; // + NamePart
  static constexpr uint64_t LastMark = 0x8000'01FF;
  static constexpr uint64_t FirstByte = 0x8000'0200; // + the byte
  static constexpr uint64_t LastByte = 0x8000'02FF;
  static constexpr uint64_t FirstRegular = 0x8000'1000;
  static constexpr uint64_t LastRegular = 0xFF'FFFF'FFFF;

  static constexpr StringId metadata() { return {Metadata}; }
  static constexpr StringId tableFull() { return {TableFull}; }
  static constexpr StringId invalid() { return {Invalid}; }
  static constexpr StringId mark(NamePart Part) {
    return {FirstMark + static_cast<uint64_t>(Part)};
  }
  static constexpr StringId byte(unsigned char Byte) {
    return {FirstByte + Byte};
  }

  constexpr StringIdKind kind() const {
    if (Value >= FirstRegular)
      return Value <= LastRegular ? StringIdKind::Regular
                                  : StringIdKind::Unassigned;
    if (Value == 0)
      return StringIdKind::None;
    if (Value <= LastVirtual)
      return StringIdKind::Virtual;
    if (Value == Metadata)
      return StringIdKind::Metadata;
    if (Value == TableFull)
      return StringIdKind::TableFull;
    if (Value >= FirstMark && Value <= LastMark)
      return StringIdKind::Mark;
    if (Value >= FirstByte && Value <= LastByte)
      return StringIdKind::Byte;
    return StringIdKind::Unassigned;
  }

  constexpr explicit operator bool() const { return Value != 0; }
  friend constexpr bool operator==(StringId A, StringId B) {
    return A.Value == B.Value;
  }
  friend constexpr bool operator!=(StringId A, StringId B) { return !(A == B); }
};

// In the table, ids are little-endian: the first byte of such an id's encoding
// is the byte that it stands for.
static_assert((StringId::FirstByte & 0xFF) == 0,
              "ComponentReader gives that byte as text");

/// A name in a file's dictionary: its place in the order of definition.
struct NameId {
  uint32_t Value = 0; // 0 is "no string"

  /// Differences of ids are 32-bit numbers in the file.
  static constexpr uint32_t Last = 0x7FFF'FFFF;

  constexpr explicit operator bool() const { return Value != 0; }
  friend constexpr bool operator==(NameId A, NameId B) {
    return A.Value == B.Value;
  }
  friend constexpr bool operator!=(NameId A, NameId B) { return !(A == B); }
};

} // namespace instantrace
