/// \file
/// Reads the traces of a build, several at a time, and keeps what session.json
/// says of each.
///
/// Flow:    x.itrace..., several at a time -> [BuildReading]
/// Errors:  of one trace are problems of it, and the others count
/// Memory:  names of a trace in each thread, and of all together
#pragma once

#include "utils/session/SessionFolder.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace instantrace {

struct BuildReading {
  std::vector<SessionUnit> Units; ///< in the order of the paths
  std::vector<std::string> Problems;
  std::vector<std::string> Unfinished; ///< traces of such compiles
  uint64_t SizeBytes = 0;              ///< of all files

  /// Reads more. \p AtTrace is called by this thread alone, after each; false:
  /// enough is read, and what is missing is a problem.
  void add(const std::vector<std::string> &Paths,
           const std::function<bool(size_t Done)> &AtTrace);
};

} // namespace instantrace
