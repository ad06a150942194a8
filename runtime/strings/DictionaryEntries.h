/// \file
/// The entries of a string table as a file has them.
///
/// Flow:   StringTable -> [DictionaryEntries] -> TraceWriter
/// Layout: proto/trace.proto, DictionaryEntry. Entries come in the order of
///         interning, so each refers to earlier ones only
#ifndef INSTANTRACE_RUNTIME_STRINGS_DICTIONARYENTRIES_H
#define INSTANTRACE_RUNTIME_STRINGS_DICTIONARYENTRIES_H

#include "runtime/strings/StringTable.h"

namespace instantrace {

struct DictionaryEntry {
  NamePart Part = NamePart::Text;
  std::string MarkedName;        ///< a NUL for each marker
  std::vector<uint32_t> Markers; ///< NameIds; 0 is a NUL of the text
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
  const StringTable &Strings;
  size_t Offset; ///< in the table's heap
};

} // namespace instantrace

#endif
