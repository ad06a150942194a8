/// \file
/// Finds the traces that somebody most likely means who names none.
///
/// Flow:   folder -> [NewestTrace] -> paths, as if they had been named
/// Bounds: nearer folders first, a limit of entries, no links, no hidden
///         folders, no other file system
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

struct FoundTrace {
  std::string Path; ///< a trace, or the folder of its session
  bool IsSession = false;
  int64_t WrittenNs = 0; ///< since 1970; of a session, its newest trace
};

struct NewestTraces {
  std::vector<FoundTrace> Found; ///< newest first; a session is there once
  size_t Entries = 0;            ///< that were looked at
  bool IsComplete = false;       ///< there were no more than the limit
};

inline constexpr size_t MostEntriesLookedAt = 100'000;

/// In the order in which they were written last; of several, by path. Paths
/// begin with one of \p Tops. What cannot be read is passed over.
NewestTraces newestTracesBelow(const std::vector<std::string> &Tops,
                               size_t MostEntries = MostEntriesLookedAt);

} // namespace instantrace
