/// \file
/// What only events say, and an analysis has to know before the first of them.
///
/// Flow:   event batches -> [LookAhead] -> TraceSink
/// Memory: a number for each interval that is named as a requester, of which a
///         compile has some hundreds
#pragma once

#include "runtime/read/Trace.h"

#include <protozero/pbf_reader.hpp>

#include <cstdint>
#include <vector>

namespace instantrace {

struct LookAhead {
  /// Intervals that later ones name as their requester, ascending: of these
  /// alone something has to be kept behind their end.
  std::vector<uint32_t> Requested;
  /// Entities that LLVM worked on, where the table of functions may lack them.
  std::vector<EntityId> Functions;

  void add(const Interval &I);
  /// In order, each once.
  void settle();
};

/// For a sequence that has its events.
LookAhead lookAhead(const Sequence &S);

/// Appends the requesters of a batch, in no order. Looks at begin records
/// alone, and ends where one cannot be read; what is no protobuf throws
/// protozero::exception.
void findRequested(protozero::pbf_reader Batch, std::vector<uint32_t> &Into);

} // namespace instantrace
