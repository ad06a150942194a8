/// \file
/// Sums of a build, of which one trace at a time is in memory, and by what its
/// compiles are matched with those of another build.
///
/// Flow:    files -> Trace -> TraceCosts, identity, sketch -> [SummedBuild]
///          -> matchCompiles, diffCosts
/// Memory:  that of a trace for each processor, of the rows, and some 8 kB for
///          each compile, of which its sketch has half
/// Leaves:  filters that compare names of all traces
/// (FilterSpec::needsAllNames)
#ifndef INSTANTRACE_UTILS_CLI_SUMMEDBUILD_H
#define INSTANTRACE_UTILS_CLI_SUMMEDBUILD_H

#include "runtime/base/Result.h"
#include "utils/analysis/costs/CompileSketch.h"
#include "utils/analysis/costs/MergedCosts.h"
#include "utils/cli/TraceArguments.h"

#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

class SummedBuild {
public:
  /// \p Files are what findTraceArguments() has found of \p Paths, and can be
  /// read twice. The filter must outlive the object.
  SummedBuild(std::vector<std::string> Files, std::vector<std::string> Paths,
              const TraceFilter &Filter, std::vector<CostKey> Keys);

  /// Reads all, and prints what readTraceArguments() prints.
  Result<void> read(Unreadable InFolder);
  /// Reads again, for the sums of these compiles alone; ascending. An error if
  /// a trace is not what it was. Requires: read().
  Result<void> keep(const std::vector<uint32_t> &Kept);

  /// Of all that were read; have no events and no names (identityOf).
  const Trace &compiles() const { return Compiles; }
  const std::vector<CompileSketch> &sketches() const { return Sketches; }
  /// That the rows of the tables are named by, while the object lives.
  const Trace &names() const { return Names.trace(); }
  /// By one of the keys; once.
  CostTable take(size_t Key) { return Sums[Key].take(); }

private:
  TraceCosts costsOf(Trace T) const;
  void add(TraceCosts Of);

  const std::vector<std::string> Files, Paths;
  const TraceFilter &Filter;
  const std::vector<CostKey> Keys;
  const std::vector<std::string> *Named = nullptr;
  LearnedScopes Learned;
  Trace Compiles;
  std::vector<InputIdentity> Identities; ///< by Compiles.Files
  std::vector<CompileSketch> Sketches;
  MergedNames Names;
  std::vector<MergedCosts> Sums; ///< by key
};

} // namespace instantrace

#endif
