/// \file
/// The costliest templates of the compiles that have ended so far, added up one
/// after the other.
///
/// Flow: CompileCostSink -> [CostSums] -> the status of `record`
#pragma once

#include "runtime/read/Trace.h"
#include "utils/analysis/costs/Costs.h"

#include <cstdint>
#include <string>
#include <unordered_map>

namespace instantrace {

/// Enough for any line of a terminal.
inline constexpr size_t SumNameBytes = 4096;

class CostSums {
public:
  /// \p Names is what its rows are names of.
  void add(const CostTable &Table, const Trace &Names);

  /// The first SumNameBytes of the name with the largest self time, the first
  /// by name where equal; empty: there is none.
  std::string costliest() const;

private:
  struct Row {
    std::string Name;
    uint64_t SelfNs = 0;
  };
  std::unordered_map<NameKey, Row, NameKeyHash> Rows;
};

} // namespace instantrace
