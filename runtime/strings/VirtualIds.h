/// \file
/// What virtual string ids stand for, and the metadata id.
///
/// Flow:  Profiler (an entity's id) -> [VirtualIds] -> entry
/// Rule:  an id is mapped once. A mapping that overlaps an earlier one is
///        refused as a whole: what was written under an id cannot change
/// Cost:  a range takes the space of one id; mapping in ascending order takes
///        constant time, resolving the logarithm of the number of ranges
/// Source: measureme's string index, which lists every id of a bulk mapping
#pragma once

#include "runtime/strings/StringId.h"

#include <cstddef>
#include <vector>

namespace instantrace {

class VirtualIds {
public:
  /// \p First is virtual or the metadata id, and then \p Count is 1. False:
  /// nothing is mapped, since some of the ids are no such ids, or are mapped.
  bool map(StringId First, uint64_t Count, StringId Target);
  /// None for what is not mapped.
  StringId resolve(StringId Id) const;

  size_t memoryBytes() const { return Ranges.capacity() * sizeof(Range); }

private:
  struct Range {
    uint32_t First, Last;
    StringId Target;
  };
  std::vector<Range> Ranges; ///< ascending, without overlaps
  StringId MetadataTarget;
};

} // namespace instantrace
