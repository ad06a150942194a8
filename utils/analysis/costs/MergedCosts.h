/// \file
/// Costs of traces that are read by themselves, added up, so that a build of
/// any size needs the memory of its largest traces and of the rows.
///
/// Flow:    CostSink, for each trace -> [MergedCosts] -> CostTable
///
/// The same numbers as of all traces in one file: rows are found by the
/// keys of their names, each number is a sum over compiles, and the first trace
/// that has a row names it.
#pragma once

#include "runtime/read/Trace.h"
#include "utils/analysis/costs/Costs.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace instantrace {

/// Names of rows, without the traces that they are from.
class MergedNames {
public:
  MergedNames() { Names.Sequences.emplace_back(); }

  /// The next rows are of this trace.
  void enterTrace(const Trace &Entered);
  /// Requires: a name of the trace that was entered. The same name in trace().
  RowName add(const RowName &Name);
  /// Has no events, only names.
  const Trace &trace() const { return Names; }

private:
  NameId addEntry(NameId Id, const Dictionary &Source,
                  std::vector<uint32_t> &Known);

  Trace Names;
  const Trace *T = nullptr;
  std::vector<std::vector<uint32_t>> KnownOf; // by sequence, then by id
};

/// What rows of the trace are names of, when nothing else of it is needed.
Trace takeNames(Trace T);

class MergedCosts {
public:
  /// \p Table has kinds, and is of the trace that \p Names entered last.
  void add(CostTable Table, MergedNames &Names);
  CostTable take();

private:
  NameNumbers ByKey; ///< by row, if there are rows of several traces
  CostTable Sum;
};

} // namespace instantrace
