/// \file
/// The traces that a command is about: the argument, and reading them.
///
/// Flow: command line -> [TraceArguments] -> TraceInputs -> Trace
#ifndef INSTANTRACE_UTILS_CLI_TRACEARGUMENTS_H
#define INSTANTRACE_UTILS_CLI_TRACEARGUMENTS_H

#include "runtime/base/Result.h"
#include "runtime/read/Trace.h"
#include "utils/analysis/costs/CompileMatch.h"
#include "utils/analysis/costs/ObservedWork.h"
#include "utils/analysis/names/NameGroups.h"
#include "utils/input/TimeTraceReader.h"
#include "utils/input/TraceInputs.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace instantrace {

/// \p Paths must live until the command has run.
CLI::Option *addTraceArguments(CLI::App &Command,
                               std::vector<std::string> &Paths);

/// Reads all, warns about everything that is missing from them, and notes what
/// follows from the hook that they were recorded by.
Result<Trace> readTraceArguments(const std::vector<std::string> &Paths);

/// What readTraceArguments() says of all traces, when each was read by itself.
class TraceNotes {
public:
  void add(const Trace &T);
  /// Prints them.
  void print() const;

  uint64_t sequences() const { return Sequences; }
  bool isIncomplete() const { return !Losses.empty(); }

private:
  std::vector<std::string> Losses;
  ObservedWork Observed;
  TimeTraceCount TimeTraces;
  uint64_t Sequences = 0;
};
/// Reads \p Files, which findTraces() gives, one after the other, and then
/// prints what readTraceArguments() prints.
Result<TraceNotes> readEachTrace(const std::vector<std::string> &Files,
                                 const TraceUse &Use);

/// Reads them likewise, and prints nothing.
Result<void> learnScopes(const std::vector<std::string> &Files,
                         LearnedScopes &Into);

/// Of two builds that were read from there; an error when nothing of one is in
/// the other, a warning when they were recorded by different hooks.
Result<CompileMatch> matchBuilds(const Trace &Old, const std::string &OldPath,
                                 const Trace &New, const std::string &NewPath);

} // namespace instantrace

#endif
