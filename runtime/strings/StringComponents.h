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
#ifndef INSTANTRACE_RUNTIME_STRINGS_STRINGCOMPONENTS_H
#define INSTANTRACE_RUNTIME_STRINGS_STRINGCOMPONENTS_H

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
  explicit ComponentReader(const char *Entry) : At(Entry) {}

  bool next(StringComponent &Into) {
    auto Tag = static_cast<unsigned char>(*At);
    if (Tag == EntryTerminator)
      return false;
    if (Tag == ReferenceTag) {
      StringId Ref = readId(At + 1);
      if (Ref.kind() == StringIdKind::Byte)
        Into = {{At + 1, 1}, {}};
      else
        Into = {{}, Ref};
      At += ReferenceBytes;
      return true;
    }
    const char *Begin = At;
    while (static_cast<unsigned char>(*At) < ReferenceTag)
      ++At;
    Into = {{Begin, static_cast<size_t>(At - Begin)}, {}};
    return true;
  }

  /// Behind the terminator, once next() was false.
  const char *end() const { return At + 1; }

private:
  static StringId readId(const char *Bytes) {
    StringId Id;
    for (int I = 4; I >= 0; --I)
      Id.Value = Id.Value << 8 | static_cast<unsigned char>(Bytes[I]);
    return Id;
  }

  const char *At;
};

/// A list of components under construction. Short ones allocate nothing.
class StringComponents {
public:
  StringComponents() = default;
  StringComponents(const StringComponents &) = delete;
  StringComponents &operator=(const StringComponents &) = delete;

  void clear() {
    Size = 0;
    NeedsResolving = IsMarked = false;
  }
  StringComponents &text(std::string_view Text);
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
    Size += Element.textSize();
    return *this;
  }
  /// Says what part of a name this is; whenever it is called, the mark is in
  /// front. Of several marks the last one counts; Text takes the mark away.
  StringComponents &mark(NamePart Part);

  bool isEmpty() const { return Size == 0; }
  /// The encoded components, without terminator. Valid until the next change.
  std::string_view encoded() const { return {Data, Size}; }
  /// The same with it.
  std::string_view terminated() const {
    Data[Size] = static_cast<char>(EntryTerminator);
    return {Data, Size + 1};
  }
  /// Some reference is not to an entry, as far as its id tells.
  bool needsResolving() const { return NeedsResolving; }

private:
  StringComponents &append(StringId Id) {
    reserve(Size + ReferenceBytes);
    putReference(Data + Size, Id);
    Size += ReferenceBytes;
    return *this;
  }
  static void putReference(char *To, StringId Id) {
    *To = static_cast<char>(ReferenceTag);
    for (unsigned I = 0; I != ReferenceBytes - 1; ++I)
      To[1 + I] = static_cast<char>(Id.Value >> (8 * I));
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
  bool NeedsResolving = false, IsMarked = false;
};

} // namespace instantrace

#endif
