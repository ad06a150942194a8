/// \file
/// Finds the trace that somebody most likely means who names none.
///
/// Flow:   folder -> [NewestTrace] -> path, as if it had been named
/// Bounds: nearer folders first, a limit of entries, no links, no hidden
///         folders, no other file system
#pragma once

#include <cstddef>
#include <string>

namespace instantrace {

struct NewestTrace {
  std::string Path; ///< a trace, or the folder of its session; empty: none
  bool IsSession = false;
  size_t Entries = 0;      ///< that were looked at
  bool IsComplete = false; ///< there were no more than the limit
};

inline constexpr size_t MostEntriesLookedAt = 100'000;

/// The one that was written last; of several, the first by path. Paths begin
/// with \p Folder. What cannot be read is passed over.
NewestTrace newestTraceBelow(const std::string &Folder,
                             size_t MostEntries = MostEntriesLookedAt);

} // namespace instantrace
