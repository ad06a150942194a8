/// \file
/// Suggestions that were tried before, and what their results say about the
/// estimates of others.
///
/// Flow:   trials.json -> [TrialHistory] -> suggestions with results -> advise,
///         report
/// Leaves: the file, to utils/session/TrialFile.h
///
/// A trial counts for the suggestion that changed the same in the same
/// recording. Others of its kind take their proportion of measured to estimated
/// time from it, of whichever recording it is.
#pragma once

#include "utils/analysis/advice/Advice.h"

#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

struct PastTrial {
  std::string Recording; ///< that it was tried on
  std::string Kind, Subject;
  std::string Change; ///< a hash of the subject and of all that is changed
  uint64_t EstimateNs = 0;
  TrialResult Result; ///< not NotTried
};

class TrialHistory {
public:
  static constexpr size_t MostTrials = 1000;

  std::string Recording; ///< the one that is asked about
  std::vector<PastTrial> Trials;

  /// What \p All were tried, in place of earlier trials of the same; without
  /// the oldest ones of too many. Whether there are any.
  bool add(const Suggestions &All, const Trace &Names);
  /// Gives results to what has none, and corrects the estimates of the rest.
  void apply(AdviceReport &Report, const Trace &Names) const;
};

} // namespace instantrace
