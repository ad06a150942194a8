/// \file
/// Names of an index as a dictionary, so that whatever shows names shows them.
///
/// Flow:    InstantiationIndex -> [IndexedNames] -> Dictionary -> renderers
/// Memory:  the names that were asked for, and their parts
/// Hostile: entries refer to earlier ones, so that a walk ends; any other is a
///          fault of the index
#ifndef INSTANTRACE_UTILS_ANALYSIS_INDEX_INDEXEDNAMES_H
#define INSTANTRACE_UTILS_ANALYSIS_INDEX_INDEXEDNAMES_H

#include "runtime/index/Index.h"
#include "runtime/index/MarkedEntry.h"
#include "runtime/strings/Dictionary.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace instantrace {

class IndexedNames {
public:
  /// The index must outlive it.
  explicit IndexedNames(const InstantiationIndex &X) : X(&X) {}

  /// The entry at that offset of the string data, added to \p Into with its
  /// parts if it is new. Always the same dictionary. No id: the index is
  /// damaged there, and has a fault.
  NameId add(uint64_t At, Dictionary &Into);
  /// Adds it also if it is known, with its number behind the others. False: a
  /// part of it has not been added, or the index is damaged there.
  bool addNext(uint64_t At, Dictionary &Into);

private:
  bool parse(uint64_t At);
  bool fault(uint64_t At);

  const InstantiationIndex *X;
  std::unordered_map<uint64_t, NameId> Known;
  // Of the entry that was parsed last.
  std::string Encoded;
  index::MarkedEntry Entry;
  std::vector<uint64_t> Missing;
};

} // namespace instantrace

#endif
