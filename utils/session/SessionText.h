/// \file
/// What `record` says when the build has ended, before the first screen: what
/// is missing, and what to do about it.
///
/// Flow:   SessionFacts, BuildReading -> [SessionText] -> standard error
/// Leaves: what was recorded, to OverviewText
#pragma once

#include "runtime/base/Result.h"
#include "utils/session/BuildReading.h"
#include "utils/session/SessionFolder.h"

#include <cstddef>
#include <string>
#include <vector>

namespace instantrace {

struct SessionText {
  const SessionFacts &Facts;
  const BuildReading &Reading;
  const std::string &Folder; ///< as it is shown
  /// Of compiles that outlive the build.
  const std::vector<std::string> &TracesToCome;
  std::vector<int> Clangs; ///< that there is a module for
};

Result<int> writeSessionText(const SessionText &Text);

} // namespace instantrace
