/// \file
/// What `record` says when the build has ended: what there is, what is missing,
/// where the time went, what to do next.
///
/// Flow:   SessionFacts, BuildReading -> [SessionText] -> standard error
/// Leaves: the tables, to BuildText
///
/// It fits a screen, if that has 24 lines and nothing is missing; a larger one
/// has more rows.
#ifndef INSTANTRACE_UTILS_SESSION_SESSIONTEXT_H
#define INSTANTRACE_UTILS_SESSION_SESSIONTEXT_H

#include "runtime/base/Result.h"
#include "utils/render/Terminal.h"
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
  size_t Recovered = 0;    ///< compiles that did not end as they should
  std::vector<int> Clangs; ///< that there is a module for
  bool HasTables = true;   ///< false: only what there is and is missing
};

Result<int> writeSessionText(const SessionText &Of, const Terminal &Term);

} // namespace instantrace

#endif
