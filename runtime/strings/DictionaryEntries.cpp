#include "runtime/strings/DictionaryEntries.h"

#include <cstring>

namespace instantrace {

namespace {

constexpr size_t WordBytes = sizeof(uint64_t);

/// How many bytes of \p Word come before one that is not ASCII, or NUL.
size_t plainBytes(uint64_t Word) {
  constexpr uint64_t Ones = 0x0101010101010101, Highs = Ones << 7;
  uint64_t Special = (Word | (Word - Ones)) & Highs;
  return Special == 0 ? WordBytes
                      : static_cast<size_t>(__builtin_ctzll(Special)) / 8;
}

} // namespace

void DictionaryEntries::makeRoom() {
  // A marker is a byte of text, too.
  Text.resize((TextBytes + WordBytes) * 2);
  Markers.resize(Text.size());
}

bool DictionaryEntries::next(DictionaryEntry &Into) {
  if (Offset == Strings.heap().size())
    return false;
  Into.Part = NamePart::Text;
  TextBytes = MarkerCount = 0;
  const char *Cursor = Strings.entryAt(Offset);
  // Not by a ComponentReader, which looks at each byte: entries are short, and
  // most of them are a reference and a word or two.
  static_assert(DictionaryEntry::RoomBytes <= WordBytes &&
                WordBytes <= StringTable::RoomBytes);
  while (true) {
    if (Text.size() < TextBytes + 2 * WordBytes)
      makeRoom();
    uint64_t Word;
    std::memcpy(&Word, Cursor, WordBytes);
    std::memcpy(Text.data() + TextBytes, &Word, WordBytes);
    size_t Plain = plainBytes(Word);
    Cursor += Plain;
    TextBytes += Plain;
    if (Plain == WordBytes)
      continue;
    auto Special = static_cast<unsigned char>(*Cursor);
    if (Special == EntryTerminator)
      break;
    char Byte = *Cursor;
    size_t Bytes = 1;
    if (Special == ReferenceTag) {
      StringId Ref = referencedId(Cursor);
      Cursor += ReferenceBytes;
      if (Ref.kind() == StringIdKind::Mark) {
        Into.Part = static_cast<NamePart>(Ref.Value - StringId::FirstMark);
        continue;
      }
      if (Ref.kind() != StringIdKind::Byte) {
        Text[TextBytes++] = '\0';
        Markers[MarkerCount++] = Strings.ordinal(Ref).Value;
        continue;
      }
      Byte = Cursor[1 - static_cast<ptrdiff_t>(ReferenceBytes)];
      Bytes = 0;
    }
    Cursor += Bytes;
    Text[TextBytes++] = Byte;
    if (Byte == '\0')
      Markers[MarkerCount++] = 0;
  }
  Into.MarkedName = {Text.data(), TextBytes};
  Into.Markers = Markers.data();
  Into.MarkerCount = MarkerCount;
  Offset = static_cast<size_t>(Cursor + 1 - Strings.heap().data());
  return true;
}

} // namespace instantrace
