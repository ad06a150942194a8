/// \file
/// Some intervals of a compile, chosen one by one, as a sequence of their own.
///
/// Flow:   InstantiationIndex, records -> [PartialSequence] -> Sequence
///
/// Intervals keep their order, their times and their ids of entities and
/// locations. The parent of one is the innermost that is there around it. What
/// is not there has no name.
#ifndef INSTANTRACE_UTILS_ANALYSIS_INDEX_PARTIALSEQUENCE_H
#define INSTANTRACE_UTILS_ANALYSIS_INDEX_PARTIALSEQUENCE_H

#include "utils/analysis/index/IndexedNames.h"
#include "utils/analysis/index/IndexedTrace.h"
#include "utils/analysis/view/SelfTimes.h"

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace instantrace {

class PartialSequence {
public:
  /// Both must outlive it. \p HasNames: the dictionary is there already.
  PartialSequence(const InstantiationIndex &X, IndexedTrace &All,
                  uint32_t Compile, bool HasNames)
      : X(&X), All(&All), Compile(Compile), HasNames(HasNames), Entries(X) {}

  /// Entities get their names, and no others have one. Once, before records.
  bool keepNamesOf(const std::vector<bool> &Entities);
  /// The record, and what requested it out to the first location outside system
  /// headers. Requires: the compile was entered. False, here and below: the
  /// index has a fault.
  bool addWithWay(uint32_t Record);
  /// Makes the intervals, and says what time each took.
  bool finish(IntervalTimes &Into);

private:
  Sequence &sequence() { return All->trace().Sequences[Compile]; }
  bool add(uint32_t Record, InstantiationIndex::Record &Into);
  bool nameEntity(uint32_t Id);
  NameId named(NameId Name);
  bool namePaths();
  bool profilingTimes();
  uint64_t profilingWithin(uint32_t Record, uint32_t SubtreeEnd) const;

  const InstantiationIndex *X;
  IndexedTrace *All;
  uint32_t Compile;
  bool HasNames;
  IndexedNames Entries;
  std::vector<Entity> Unnamed; ///< entities with the names of the trace
  std::vector<bool> HasName;   ///< by entity
  std::unordered_map<uint32_t, uint32_t> NameOf; ///< by name of the trace
  std::unordered_map<uint32_t, InstantiationIndex::Record> Records;
  std::unordered_set<uint32_t> Followed;
  /// Outermost intervals of Instantrace's own work, ascending, and the time of
  /// those before each.
  std::vector<uint32_t> Profiling;
  std::vector<uint64_t> ProfilingNs;
};

} // namespace instantrace

#endif
