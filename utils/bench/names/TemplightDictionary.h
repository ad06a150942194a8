/// \file
/// The dictionary that Templight would write for given names.
///
/// Flow:   printed names -> [TemplightDictionary] -> bytes to compare with ours
/// Rule:   a name is cut at `::` outside of argument lists, and at the `,` and
///         `>` of its first one; each piece becomes a NUL byte in the text, and
///         an entry of its own by the same rule, before the entry that uses it.
///         Brackets are counted in the text, whatever they mean there.
/// Layout: DictionaryEntry { string marked_name = 1; repeated uint32
///         marker_ids = 2, unpacked }, as field 3 of its trace
/// Source: Templight, lib/TemplightProtobufWriter.cpp, createDictionaryEntry
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace instantrace {

class TemplightDictionary {
public:
  /// The id of \p Name, counted from 0. Pieces are views into \p Name, which
  /// must outlive the dictionary.
  uint32_t add(std::string_view Name);

  size_t size() const { return Ids.size(); }
  /// The entries as they are in the file.
  const std::string &bytes() const { return Bytes; }

private:
  std::unordered_map<std::string_view, uint32_t> Ids;
  std::string Bytes;
};

} // namespace instantrace
