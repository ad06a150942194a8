/// \file
/// How large the names of a trace are, as they are stored and as text.
///
/// Flow:   Trace -> [NameStatistics] -> names
///
/// Sizes of texts come from the entries; no text is built. They count a name as
/// it is with its default arguments and without its function's parameters.
#pragma once

#include "runtime/read/Trace.h"
#include "utils/analysis/names/NameGroups.h"

#include <cstdint>
#include <vector>

namespace instantrace {

/// The name of an entity.
struct EntityName {
  uint32_t SequenceIndex = 0;
  EntityId Entity;
  NameId Name;
  uint64_t SizeBytes = 0; ///< as text
};

/// Of one sequence or of several. Sums saturate: text can be larger than any
/// number.
struct NameStatistics {
  uint64_t Entries = 0;
  uint64_t TextEntries = 0;  ///< that refer to no other: the tree's leaves
  uint64_t References = 0;   ///< to other entries
  uint64_t Levels = 0;       ///< most entries on a way from a name to a leaf
  uint64_t FileBytes = 0;    ///< of the dictionary's packets
  uint64_t HeapBytes = 0;    ///< of the dictionary in this tool
  uint64_t Files = 0;        ///< entities that are files; not in what follows
  uint64_t Entities = 0;     ///< that have a name
  uint64_t Names = 0;        ///< distinct
  uint64_t TemplateSets = 0; ///< distinct
  uint64_t EntityBytes = 0;  ///< of the names of all entities, as text
  uint64_t NameBytes = 0;    ///< of distinct ones
  EntityName Longest;        ///< the first of equally long ones

  /// How much more text there is than bytes in the file.
  double sharingFactor() const;
};

/// Names and template sets that sequences share count once in the total.
struct NameReport {
  NameStatistics Total;
  std::vector<NameStatistics> Sequences; ///< by index
};
NameReport nameStatistics(const Trace &T);

/// Longest first, equally long ones by their text.
void sortLongest(const Trace &T, std::vector<EntityName> &Names);

/// The \p Count (0: all) longest distinct names, in the order of
/// sortLongest().
std::vector<EntityName> longestNames(const Trace &T, size_t Count);

struct NameGroupRow {
  NameGroup Group;
  uint32_t SequenceIndex = 0; ///< whose dictionary has the group's name
  uint64_t Entities = 0;
  uint64_t Specializations = 0; ///< distinct names of such
  uint64_t EntityBytes = 0;     ///< of the names of all entities, as text
};

/// Every entity that has a name, but for files, is in one row. Most text first,
/// then most entities; rows that are equal in both by name.
std::vector<NameGroupRow> groupNames(const Trace &T, NameGrouping Grouping);

} // namespace instantrace
