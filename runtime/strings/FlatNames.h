/// \file
/// The names of one sequence as flat texts, each expanded when it is read.
///
/// Flow:   DictionaryBatch -> [FlatNames] -> readers that want plain texts
/// Cost:   the memory of all texts, which may be a hundred times the file's;
///         so there is a limit, and DictionaryBatch refuses what exceeds it.
///         Dictionary has none of this, and should be preferred
#ifndef INSTANTRACE_RUNTIME_STRINGS_FLATNAMES_H
#define INSTANTRACE_RUNTIME_STRINGS_FLATNAMES_H

#include "runtime/strings/StringId.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

class FlatNames {
public:
  explicit FlatNames(uint64_t TotalLimitBytes)
      : TotalLimitBytes(TotalLimitBytes) {}

  uint32_t size() const { return static_cast<uint32_t>(Ends.size()); }
  /// Defines the id size() + 1. Requires: as Dictionary::add, and a text of at
  /// most totalBytesLeft().
  void add(std::string_view MarkedName, std::span<const uint32_t> MarkerIds,
           NamePart Part = NamePart::Text);

  /// With everything in it; empty for an id without entry. Valid until the next
  /// add().
  std::string_view text(NameId Id) const;
  uint64_t sizeBytes(NameId Id) const { return text(Id).size(); }
  uint64_t totalBytesLeft() const { return TotalLimitBytes - Texts.size(); }

private:
  uint64_t TotalLimitBytes;
  std::string Texts;        ///< one after the other
  std::vector<size_t> Ends; ///< in Texts
};

} // namespace instantrace

#endif
