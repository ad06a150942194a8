/// \file
/// `critical-path --without` and `--split`: what a build would take without an
/// #include.
///
/// Flow: RebuildReading -> [runWhatIf] -> stdout
#pragma once

#include "runtime/base/Result.h"
#include "utils/render/RecordText.h"

#include <optional>
#include <string>
#include <vector>

namespace instantrace {

struct WhatIfOptions {
  std::vector<std::string> Without; ///< "a.h -> b.h"
  std::vector<std::string> Split;   ///< headers
  std::vector<std::string> MoreRoots;
  std::optional<RecordFormat> Records;

  bool isWanted() const { return !Without.empty() || !Split.empty(); }
};

/// Errors: a word that is no #include, no such file, or nothing that a compile
/// includes there.
Result<int> runWhatIf(const std::vector<std::string> &Inputs,
                      const WhatIfOptions &Opts);

} // namespace instantrace
