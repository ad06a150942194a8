/// \file
/// What somebody wants to stop at, as the arguments of `break` say it.
///
/// Flow:   text -> [StopSpec] -> RecordSearch, StopSearch
/// Errors: words that mean nothing here
#pragma once

#include "utils/replay/Condition.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace instantrace {

/// A record has to be all that is given.
struct StopSpec {
  std::string Name;    ///< of a template or specialization, or the end of it
  std::string Regex;   ///< as NamePattern has it
  std::string File;    ///< path or the end of it
  uint32_t LineNo = 0; ///< 0: any of the file
  std::optional<uint64_t> Kind;
  std::optional<uint64_t> Depth; ///< records around it
  uint64_t LeastNs = 0;          ///< from begin to end
  uint64_t Nth = 0;              ///< of the records of its entity, from 1
  Condition If;
  bool AtEnd = false; ///< of the record, and not at its begin

  // These have one event in each compile, and nothing above but If.
  std::optional<uint64_t> TimeNs; ///< the first event at or after it
  std::optional<uint64_t> Event;

  // Of the syntax trees of what has ended. Nothing else.
  bool IsMemory = false;
  uint64_t MemoryStep = 0;      ///< 0: any change
  uint64_t MemoryThreshold = 0; ///< 0: none

  /// How `info breakpoints` shows it, without the condition.
  std::string text() const;
};

/// Of `break`, `tbreak`; of `rbreak` if \p IsRegex. A line without a file is
/// one of \p File.
Result<StopSpec> parseStopSpec(std::string_view Arguments, bool IsRegex,
                               const std::string &File);
/// Of `watch`.
Result<StopSpec> parseWatch(std::string_view Arguments);

} // namespace instantrace
