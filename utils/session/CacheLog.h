/// \file
/// What ccache says that it did, in the file that CCACHE_STATSLOG or its own
/// configuration names: a line "# SOURCE" for each run, then its counters, a
/// word on a line each.
///
/// Flow:   file -> [readCacheLog] -> CacheUse
/// Source: ccache's manual, section "stats log"
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

struct CacheUse {
  uint64_t Runs = 0;
  uint64_t Hits = 0;                   ///< no compiler ran
  std::vector<std::string> HitSources; ///< the first MostSources
  bool IsCut = false;                  ///< the log has more than is read of it
  static constexpr size_t MostSources = 100;
  static constexpr uint64_t MostBytes = 64 << 20;
};

/// The file that ccache's configuration names here; empty: none, or no ccache.
/// One of the environment would come before it.
std::string configuredCacheLog();

/// From \p Begin, in bytes, to the end, or MostBytes of it; without lines over
/// 64 KiB, which ccache writes none of. Nothing where there is no such file:
/// no ccache ran, or one before 4.4; nor if it is no regular file.
CacheUse readCacheLog(const std::string &Path, uint64_t Begin);

} // namespace instantrace
