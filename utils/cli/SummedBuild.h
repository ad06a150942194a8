/// \file
/// Sums of the traces of a build, of which no more is in memory than names and
/// rows; and what their tables say before any of their events is read.
///
/// Flow:    files -> tables -> [readBuildNames] -> matchCompiles
///          files -> CostSink -> MergedCosts -> [sumBuild] -> CostTable
/// Memory:  names and rows of a trace for each processor and of all together;
///          of names that are matched, some 8 kB for each compile, of which its
///          sketch has half
#pragma once

#include "runtime/base/Result.h"
#include "utils/analysis/chains/IncludeChains.h"
#include "utils/analysis/costs/CompileSketch.h"
#include "utils/analysis/costs/MergedCosts.h"
#include "utils/analysis/names/NameLimit.h"
#include "utils/cli/TraceArguments.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace instantrace {

/// The traces of a build, for as many rounds as a question has.
struct BuildTraces {
  std::vector<std::string> Files; ///< that findTraceArguments() has found
  std::vector<std::string> Paths; ///< of these
  Unreadable InFolder = Unreadable::IsTold;
  InputRounds Rounds = {};

  const std::vector<std::string> *named() const {
    return InFolder == Unreadable::IsTold ? &Paths : nullptr;
  }
};

/// By what compiles are matched, and what is a class.
struct BuildNames {
  Trace Compiles; ///< have no events and no names (identityOf)
  std::vector<CompileSketch> Sketches;
  LearnedScopes Scopes; ///< if they are wanted
};

/// What cannot be read is an error, or said, and \p Build is without it from
/// now on. \p Sizes gets those of all names, if they are wanted.
Result<BuildNames> readBuildNames(BuildTraces &Build, bool AreScopesWanted,
                                  NameSizes *Sizes = nullptr);

/// Some of the compiles that readBuildNames() has found.
class KeptCompiles {
public:
  KeptCompiles(const Trace &Compiles, const std::vector<uint32_t> &Kept);
  /// \p Index is that of the compile in its file.
  bool contains(const std::string &File, uint32_t Index) const;

private:
  std::unordered_map<std::string, std::vector<uint32_t>> ByFile;
};

struct SumSpec {
  std::vector<CostKey> Keys;
  const TraceFilter &Filter;
  bool HasChains = false; ///< of includes
  /// Null: they are learned first if something depends on them.
  const LearnedScopes *Scopes = nullptr;
  const KeptCompiles *Kept = nullptr; ///< null: all
};

struct SummedBuild {
  std::vector<std::string> Files; ///< that were read
  MergedNames Names;              ///< of the rows
  std::vector<CostTable> Tables;  ///< by key
  std::optional<IncludeChains> Chains;
  TraceNotes Notes;
};

/// Whether rows or the filter compare names by what all traces say of them.
bool needsScopes(const SumSpec &Spec);

/// Prints what is missing from the traces.
Result<SummedBuild> sumBuild(BuildTraces &Build, const SumSpec &Spec);

} // namespace instantrace
