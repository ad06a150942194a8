/// \file
/// The entries of a string table as a file has them.
///
/// Flow:   StringTable -> [DictionaryEntries] -> TraceWriter
/// Layout: proto/trace.proto, DictionaryEntry. Entries come in the order of
///         interning, so each refers to earlier ones only
#pragma once

#include "runtime/strings/StringTable.h"

namespace instantrace {

struct DictionaryEntry {
  /// So many bytes behind a name can be read.
  static constexpr size_t RoomBytes = 8;

  NamePart Part = NamePart::Text;
  // Until the next one is asked for.
  std::string_view MarkedName; ///< a NUL for each marker
  const uint32_t *Markers;     ///< NameIds; 0 is a NUL of the text
  size_t MarkerCount;
};

class DictionaryEntries {
public:
  /// From an earlier one's offset(), or from the first entry on. Nothing may be
  /// interned while this is in use.
  explicit DictionaryEntries(const StringTable &Strings, size_t Offset = 0)
      : Strings(Strings), Offset(Offset) {}

  /// False at the end.
  bool next(DictionaryEntry &Into);
  size_t offset() const { return Offset; }

private:
  void makeRoom();

  const StringTable &Strings;
  size_t Offset; ///< in the table's heap
  // Of the entry that was given last, and room behind it.
  std::vector<char> Text;
  std::vector<uint32_t> Markers;
  size_t TextBytes = 0, MarkerCount = 0;
};

} // namespace instantrace
