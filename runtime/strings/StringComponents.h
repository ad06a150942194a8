/// \file
/// The components of one string, in the encoding that the string table keeps.
///
/// Flow:   NameBuilder -> StringComponents -> StringTable -> ComponentReader
/// Layout: entry     = { component } 0xFF
///         component = text bytes | 0xFE id, the id in five bytes,
///                     little-endian
///         Neither 0xFE nor 0xFF occurs in UTF-8. Where source text has one, it
///         is a reference to the id that stands for that byte; so any bytes
///         survive, and an entry's end is found by reading it.
///         An entry that is marked begins with a reference to the mark.
/// Source: measureme's string table
#pragma once

#include "runtime/strings/ListElement.h"
#include "runtime/strings/StringId.h"

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace instantrace {

inline constexpr unsigned char ReferenceTag = 0xFE;
inline constexpr unsigned char EntryTerminator = 0xFF;
inline constexpr size_t ReferenceBytes = 6; // tag and id

/// The id in a reference. \p Reference is where its tag is; ReferenceBytes can
/// be read from there, and each is read once.
inline StringId referencedId(const void *Reference) {
  const auto *Bytes = static_cast<const unsigned char *>(Reference);
  uint32_t Low;
  std::memcpy(&Low, Bytes + 1, sizeof(Low));
  return {uint64_t(Bytes[5]) << 32 | Low};
}

/// One component: text, or a reference to an entry or a mark.
struct StringComponent {
  std::string_view Text; ///< when Ref is none; into what is read
  StringId Ref;
};

/// Goes through the components of an entry. Bytes that are no text come as
/// text of one byte.
class ComponentReader {
public:
  /// Requires: a whole entry from \p Entry on.
  explicit ComponentReader(const char *Entry) : Cursor(Entry) {}

  bool next(StringComponent &Into) {
    auto Tag = static_cast<unsigned char>(*Cursor);
    if (Tag == EntryTerminator)
      return false;
    if (Tag == ReferenceTag) {
      StringId Ref = referencedId(Cursor);
      if (Ref.kind() == StringIdKind::Byte)
        Into = {{Cursor + 1, 1}, {}};
      else
        Into = {{}, Ref};
      Cursor += ReferenceBytes;
      return true;
    }
    const char *Begin = Cursor;
    while (static_cast<unsigned char>(*Cursor) < ReferenceTag)
      ++Cursor;
    Into = {{Begin, static_cast<size_t>(Cursor - Begin)}, {}};
    return true;
  }

  /// Behind the terminator, once next() was false.
  const char *end() const { return Cursor + 1; }

private:
  const char *Cursor;
};

/// A list of components under construction. Short ones allocate nothing.
class StringComponents {
public:
  StringComponents() = default;
  StringComponents(const StringComponents &) = delete;
  StringComponents &operator=(const StringComponents &) = delete;

  void clear() {
    Size = LastPart = 0;
    NeedsResolving = IsMarked = false;
  }
  StringComponents &text(std::string_view Text) {
    // Nearly all is ASCII, of a few bytes: eight at once, and the last eight
    // once more.
    const size_t Bytes = Text.size();
    reserve(Size + Bytes + WordBytes);
    uint64_t Seen = 0;
    if (Bytes >= WordBytes) {
      for (size_t Index = 0; Index + WordBytes < Bytes; Index += WordBytes)
        Seen |= copyWord(Data + Size + Index, Text.data() + Index);
      Seen |= copyWord(Data + Size + Bytes - WordBytes,
                       Text.data() + Bytes - WordBytes);
    } else {
      for (size_t Index = 0; Index != Bytes; ++Index) {
        Data[Size + Index] = Text[Index];
        Seen |= static_cast<unsigned char>(Text[Index]);
      }
    }
    if (Seen & NoAsciiBits)
      return encodeText(Text);
    if (Bytes != 0)
      LastPart = Size;
    Size += Bytes;
    return *this;
  }
  /// None adds nothing.
  StringComponents &ref(StringId Id) {
    if (!Id)
      return *this;
    StringIdKind Kind = Id.kind();
    if (Kind != StringIdKind::Regular && Kind != StringIdKind::Byte)
      NeedsResolving = true;
    // What has more than 40 bits is no id, and must not look like one.
    return append(Id.Value <= StringId::LastRegular ? Id : StringId::invalid());
  }
  /// Of a list: its text, or a reference. Nothing adds nothing.
  StringComponents &element(ListElement Element) {
    if (!Element.isText())
      return ref(Element.entry());
    reserve(Size + ListElement::MaxTextBytes);
    for (size_t I = 0; I != ListElement::MaxTextBytes; ++I)
      Data[Size + I] = Element.textByte(I);
    LastPart = Size;
    Size += Element.textSize();
    return *this;
  }
  /// Says what part of a name this is; whenever it is called, the mark is in
  /// front. Of several marks the last one counts; Text takes the mark away.
  StringComponents &mark(NamePart Part);

  bool isEmpty() const { return Size == 0; }
  /// The encoded components and the terminator. Valid until the next change.
  std::string_view terminated() const {
    Data[Size] = static_cast<char>(EntryTerminator);
    return {Data, Size + 1};
  }
  /// From where on the last component can be read; where there is none, or a
  /// mark alone, the terminator.
  const char *lastComponent() const { return Data + LastPart; }
  /// Some reference is not to an entry, as far as its id tells.
  bool needsResolving() const { return NeedsResolving; }

private:
  static constexpr size_t WordBytes = sizeof(uint64_t);
  static constexpr uint64_t NoAsciiBits = 0x8080808080808080;
  static uint64_t copyWord(char *Target, const char *Source) {
    uint64_t Word;
    std::memcpy(&Word, Source, WordBytes);
    std::memcpy(Target, &Word, WordBytes);
    return Word;
  }
  /// The same as text(), of any bytes.
  StringComponents &encodeText(std::string_view Text);
  StringComponents &append(StringId Id) {
    reserve(Size + ReferenceBytes);
    LastPart = Size;
    putReference(Data + Size, Id);
    Size += ReferenceBytes;
    return *this;
  }
  static void putReference(char *Target, StringId Id) {
    *Target = static_cast<char>(ReferenceTag);
    auto Low = static_cast<uint32_t>(Id.Value);
    std::memcpy(Target + 1, &Low, sizeof(Low));
    Target[5] = static_cast<char>(Id.Value >> 32);
  }
  /// Room for that many bytes and the terminator.
  void reserve(size_t Wanted) {
    if (Wanted >= Capacity)
      grow(Wanted + 1);
  }
  void grow(size_t Wanted);

  static constexpr size_t InlineBytes = 256;
  char Inline[InlineBytes];
  std::unique_ptr<char[]> Spilled;
  char *Data = Inline;
  size_t Size = 0, Capacity = InlineBytes;
  size_t LastPart = 0; ///< offset of what was added last
  bool NeedsResolving = false, IsMarked = false;
};

} // namespace instantrace
