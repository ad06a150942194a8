/// \file
/// A compile that did not end as it should, as a block of lines or JSON.
///
/// Flow:   UnfinishedCompile -> [UnfinishedText] -> standard error, JSON
#pragma once

#include "utils/analysis/chains/Unfinished.h"
#include "utils/render/JsonText.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

/// What is known beside the trace.
struct UnfinishedContext {
  std::string Source;       ///< text of the line that asked; empty: not there
  std::string Reproducer;   ///< script that Clang wrote when it crashed
  std::string EndedBy;      ///< who ended it, and why; empty: not us
  uint64_t MemoryBytes = 0; ///< that a process may have; 0: not known
};

struct ExplainedCompile {
  UnfinishedCompile Compile;
  UnfinishedContext Context;
};

/// Lines without line ends, the first one for the whole; names in at most
/// \p Columns columns.
std::vector<std::string> unfinishedLines(const UnfinishedCompile &Compile,
                                         const UnfinishedContext &Context,
                                         size_t Columns);

/// "killed (signal 9, out of memory?)"
std::string endWords(const UnfinishedCompile &Compile,
                     const UnfinishedContext &Context);

void appendUnfinished(JsonObject &Into, const UnfinishedCompile &Compile,
                      const UnfinishedContext &Context);

} // namespace instantrace
