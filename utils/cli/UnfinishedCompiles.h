/// \file
/// Says of traces whose compile did not end as it should what it was doing.
///
/// Flow:   paths of traces, sources -> UnfinishedSink -> [UnfinishedCompiles]
///         -> UnfinishedText
/// Errors: what cannot be read again is left out; it has been said before
#pragma once

#include "utils/render/UnfinishedText.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace instantrace {

/// Those of \p Traces that did not finish, in their order; \p Most of them,
/// since each trace is read as a whole; 0: all.
std::vector<ExplainedCompile>
explainUnfinished(const std::vector<std::string> &Traces, size_t Most = 0);

/// The same of one that has not ended, by its buffer.
std::vector<ExplainedCompile> explainRunning(const std::string &Buffer);

/// A block of lines for each of the first ones, and how many more there are.
/// Those that ^C ended are one line.
std::string unfinishedBlocks(const std::vector<ExplainedCompile> &Compiles,
                             size_t Columns, size_t MoreCompiles = 0);

/// Both, to the standard error.
void printUnfinished(const std::vector<std::string> &Traces);

} // namespace instantrace
