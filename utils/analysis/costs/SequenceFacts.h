/// \file
/// What costs need to know of the intervals of a sequence, whatever the rows
/// are, so that several tables are made of it and it is found out once.
///
/// Flow:   Sequence -> [SequenceFacts] -> KeyCosts
#ifndef INSTANTRACE_UTILS_ANALYSIS_COSTS_SEQUENCEFACTS_H
#define INSTANTRACE_UTILS_ANALYSIS_COSTS_SEQUENCEFACTS_H

#include "runtime/read/Trace.h"
#include "utils/analysis/costs/CodeGenerationParts.h"
#include "utils/analysis/view/FunctionHomes.h"

#include <cstdint>
#include <vector>

namespace instantrace {

struct SequenceFacts {
  /// The sequence must outlive this.
  explicit SequenceFacts(const Sequence &S);

  std::vector<uint64_t> SelfNs, InclusiveNs; ///< by interval
  /// By interval: the first instantiation of an entity that none defined.
  std::vector<bool> IsFirstOfUndefined;
  CodeGenerationParts Parts;
  FunctionHomes Homes;
};

} // namespace instantrace

#endif
