/// \file
/// What `record` says while a build runs.
///
/// Flow:   Recording -> [BuildText] -> StatusLine
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

struct RunningCompile {
  std::string Trace; ///< "a-0123456789ab.itrace"
  uint64_t SinceNs = 0;
  uint64_t ResidentBytes = 0; ///< 0: not known
  bool IsGrowing = false;     ///< since the last look
  std::string Doing = {};     ///< " in Cat<…>, no event for 31 s"; may be empty
};

struct BuildStatus {
  uint64_t Ended = 0;
  std::vector<RunningCompile> Running;
};

/// One line of at most so many columns, what matters most first.
std::string buildStatusText(const BuildStatus &Status, size_t Columns);

/// The name of what a trace is of: without folder, hash and ending.
std::string unitOfTrace(std::string_view Trace);

} // namespace instantrace
