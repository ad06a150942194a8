/// \file
/// The traces that a command is about: the argument, and reading them.
///
/// Flow: command line -> [TraceArguments] -> TraceInputs -> Trace
#ifndef INSTANTRACE_UTILS_CLI_TRACEARGUMENTS_H
#define INSTANTRACE_UTILS_CLI_TRACEARGUMENTS_H

#include "runtime/base/Result.h"
#include "runtime/read/Trace.h"
#include "utils/analysis/costs/CompileMatch.h"

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

/// Of two builds that were read from there; an error when nothing of one is in
/// the other, a warning when they were recorded by different hooks.
Result<CompileMatch> matchBuilds(const Trace &Old, const std::string &OldPath,
                                 const Trace &New, const std::string &NewPath);

} // namespace instantrace

#endif
