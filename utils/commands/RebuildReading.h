/// \file
/// Reads traces for questions about what is compiled again.
///
/// Flow: TraceArguments -> OverviewPart -> HeaderFacts -> [RebuildReading] ->
///       touch, critical-path --without
#pragma once

#include "runtime/base/Result.h"
#include "utils/analysis/advice/AdviceFinder.h"
#include "utils/analysis/advice/Rebuilds.h"
#include "utils/cli/LateSources.h"

#include <optional>
#include <string>
#include <vector>

namespace instantrace {

/// For one kind of advice that asks what compiles read, and reads nothing else.
AdviceSpec readingSpec(const SourceReader &Reader);

class RebuildReading {
public:
  RebuildReading();

  /// Prints what is missing. \p MoreRoots are those of --source-root.
  Result<void> read(const std::vector<std::string> &Inputs,
                    const std::vector<std::string> &MoreRoots);

  /// Once they were read.
  Rebuilds &rebuilds() { return *Made; }
  HeaderFacts &headers() { return *Finder.headers(); }
  EventClock clock() const { return Clock; }

  /// The file that compiles read and whose path ends so.
  /// Errors: there is none, or there are several.
  Result<FileNumber> fileNamed(const std::string &Name);

private:
  LateSources Sources; ///< for the #includes
  AdviceSpec Spec;
  const Result<TraceFilter> All = TraceFilter::make({});
  AdviceFinder Finder;
  std::optional<Rebuilds> Made;
  EventClock Clock = EventClock::Processor;
};

} // namespace instantrace
