/// \file
/// The names of one sequence: entries that share parts, expanded on demand.
///
/// Flow:   TraceReader -> [Dictionary] -> analyses (keys), renderers (text)
/// Layout: proto/trace.proto, DictionaryEntry
/// Errors: none; add() states what its caller has to check
///
/// Entries form a DAG, and a few kilobytes of it can mean a text larger than
/// memory. So nothing here is proportional to the expanded text: a text is
/// built up to a limit, iteratively, and names are compared by a hash that is
/// composed from the hashes of the parts (polynomial, modulo 2^61 - 1), which
/// makes one key of equal texts however they are cut into entries.
#ifndef INSTANTRACE_RUNTIME_TRACE_DICTIONARY_H
#define INSTANTRACE_RUNTIME_TRACE_DICTIONARY_H

#include "runtime/strings/StringId.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

/// Equal for equal expanded texts, in every sequence of every trace.
struct NameKey {
  uint64_t Hash = 0;
  uint64_t SizeBytes = 0; // of the expanded text, saturating
  friend auto operator<=>(const NameKey &, const NameKey &) = default;
};

class Dictionary {
public:
  uint32_t size() const { return static_cast<uint32_t>(Entries.size()); }
  bool contains(NameId Id) const { return Id && Id.Value <= size(); }

  /// Defines the id size() + 1. Requires: as many NUL bytes in MarkedName as
  /// MarkerIds, and each of these at most size(). 0 is a NUL of the text.
  void add(std::string_view MarkedName, std::span<const uint32_t> MarkerIds);

  /// Appends the text of an entry. A text longer than LimitBytes, or built of
  /// unreasonably many parts, is cut and ends in an ellipsis; returns false
  /// then. An id without entry appends nothing.
  bool expand(NameId Id, std::string &Out, size_t LimitBytes) const;
  std::string text(NameId Id, size_t LimitBytes) const;

  /// The key of a text: equal to that of an entry which expands to it.
  static NameKey keyOf(std::string_view Text);
  /// Of an id without entry: the key of the empty text.
  NameKey key(NameId Id) const;

private:
  struct Entry {
    uint64_t TextEnd = 0; // in MarkedText; it begins where the one before ends
    uint64_t MarkerEnd = 0; // in Markers
    uint64_t SizeBytes = 0; // expanded, saturating
    uint64_t Hash = 0;
    uint64_t Power = 1; // base ^ expanded size
  };
  uint64_t textBegin(uint32_t Id) const {
    return Id > 1 ? Entries[Id - 2].TextEnd : 0;
  }
  uint64_t markerBegin(uint32_t Id) const {
    return Id > 1 ? Entries[Id - 2].MarkerEnd : 0;
  }

  std::string MarkedText;
  std::vector<uint32_t> Markers;
  std::vector<Entry> Entries;
};

} // namespace instantrace

#endif
