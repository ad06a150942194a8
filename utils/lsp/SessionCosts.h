/// \file
/// What every line of every file of a session costs, so that an editor gets a
/// file's answer at once.
///
/// Flow:   traces -> CompileCostSink -> [readSessionCosts] -> LspServer
/// Memory: some hundred bytes for each line that has a cost; traces are read a
///         compile at a time
/// Errors: as reading traces has them; those of a trace beside others are
///         SessionCosts::Problems
///
/// Numbers are those of `annotate`: `caused` is the self time of all that has
/// the line as its user frame, `inclusive` that of what the line asks for.
#pragma once

#include "runtime/base/Result.h"
#include "utils/lsp/WorkTask.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace instantrace {

/// What a compile has to do with a line.
struct LineUnit {
  uint32_t Index = 0; ///< in SessionCosts::Units
  uint64_t Ns = 0;
};

struct EditorLine {
  uint64_t CausedNs = 0;
  uint64_t InclusiveNs = 0;
  uint64_t SelfNs = 0;    ///< of what it asks for, without what is inside
  uint64_t BackendNs = 0; ///< of functions that were instantiated for it
  uint64_t UnitsNs = 0;   ///< of all compiles that have the line, as a whole
  uint64_t Units = 0;     ///< these compiles
  std::array<LineUnit, 3> Costliest; ///< largest first; 0 ns: no more

  /// The one number that an editor shows.
  uint64_t shownNs() const { return std::max(CausedNs, InclusiveNs); }
};

struct EditorFile {
  std::string Path; ///< absolute
  std::map<uint32_t, EditorLine> Lines;
  /// When the first compile that has it began, since 1970.
  uint64_t FirstRealtimeNs = UINT64_MAX;
};

struct EditorUnit {
  std::string Source, Trace; ///< absolute; as findTraces() gives it
};

struct SessionCosts {
  std::vector<EditorUnit> Units;
  std::vector<std::string> Problems;                 ///< "PATH: why"
  std::unordered_map<std::string, EditorFile> Files; ///< by absolute path
  /// Paths of files by their name without folders.
  std::unordered_map<std::string, std::vector<std::string>> ByName;

  /// Null: no compile has anything in it. \p Path is normal. A file of another
  /// checkout stands for one that is not here, if no other ends as much alike.
  const EditorFile *find(const std::string &Path) const;
};

/// \p Path is a session, a trace, or a folder of traces.
Result<SessionCosts> readSessionCosts(const std::string &Path,
                                      WorkState &State);

} // namespace instantrace
