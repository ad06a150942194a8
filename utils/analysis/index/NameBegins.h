/// \file
/// Which names of an index may be one that a user means, by their begins.
///
/// Flow:   NameQuery's text -> [NameBegins] -> IndexedRequests
///
/// Most names differ from any other in what they begin with, and a name is
/// mostly an entry behind that of its scope. So one look at each tells nearly
/// all of them apart, and few have to become text.
#ifndef INSTANTRACE_UTILS_ANALYSIS_INDEX_NAMEBEGINS_H
#define INSTANTRACE_UTILS_ANALYSIS_INDEX_NAMEBEGINS_H

#include "utils/analysis/index/IndexedNames.h"

#include <cstdint>
#include <string>
#include <unordered_map>

namespace instantrace {

class NameBegins {
public:
  /// \p Text as NameQuery takes it, and no pattern. The index must outlive it.
  NameBegins(const InstantiationIndex &X, const std::string &Text)
      : X(&X), Entries(X), Wanted(Text + "<$>") {}

  /// Whether a name with that entry may be meant; false only if it is not.
  /// Damage is a fault of the index.
  bool mayBe(uint64_t At);

private:
  bool isBegin(uint64_t At, unsigned Depth);
  bool isWhollyBegin(uint64_t At);

  const InstantiationIndex *X;
  IndexedNames Entries;
  Dictionary Names; ///< of entries that others begin with
  std::string Wanted;
  std::unordered_map<uint64_t, bool> Known; ///< of these, by address
};

} // namespace instantrace

#endif
