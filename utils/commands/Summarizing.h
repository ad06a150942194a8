/// \file
/// What `summary` shows, for commands that have recorded something.
///
/// Flow: command -> [summarize] (Summary.cpp), [showOverview] (Overview.cpp) ->
///       a stream
#pragma once

#include "runtime/base/Result.h"
#include "utils/analysis/costs/Costs.h"
#include "utils/render/Terminal.h"

#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace instantrace {

/// As `summary --by=BY -n ROWS` does, to \p Into.
Result<int> summarize(const std::vector<std::string> &Inputs, CostKey Key,
                      size_t Rows, FILE *Into);

struct OverviewSpec {
  std::vector<std::string> Inputs;
  NameStyle Names;
  bool IsRecord = false; ///< JSON, and no text
  FILE *Into = stdout;
  /// What is missing from the traces has been said.
  bool IsLossKnown = false;
  /// Asked for each trace: false ends the reading. Empty: nobody does.
  std::function<bool()> GoesOn = {};
};

/// What has just been recorded, on the standard error: the first screen, or a
/// table. Whatever becomes of that, the caller ends as the build ended; that
/// there is no trace has been said.
void showRecorded(const std::string &Folder,
                  std::optional<CostKey> GroupedKey = {}, size_t Rows = 0);

/// The first screen.
Result<int> showOverview(const OverviewSpec &Spec);

} // namespace instantrace
