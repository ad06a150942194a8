/// \file
/// What `advise` says of lines. Traces are read twice for it.
///
/// Flow:   traces, sources -> AdviceFinder -> [readSessionAdvice] -> LspServer
/// Memory: that of one compile at a time, since a user has other work for the
///         processors, beside what is kept of each (AdviceFinder)
/// Errors: there is no advice then
#pragma once

#include "utils/analysis/advice/Trial.h"
#include "utils/lsp/WorkTask.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace instantrace {

struct LineAdvice {
  uint32_t LineNo = 0;
  std::string Kind, Message;
  std::string ToDo; ///< the sentence at the begin of the message
  /// What `advise --try` would apply, with absolute paths; empty: nothing, or
  /// it was tried and did not pay.
  std::vector<SourceEdit> Edits;
  /// When the first compile began that they change, since 1970.
  uint64_t CompiledRealtimeNs = 0;
};
/// By absolute path.
using SessionAdvice = std::unordered_map<std::string, std::vector<LineAdvice>>;

/// None: it was stopped, or the traces cannot be read.
SessionAdvice readSessionAdvice(const std::string &SessionPath,
                                const WorkState &State);

} // namespace instantrace
