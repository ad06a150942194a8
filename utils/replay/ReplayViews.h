/// \file
/// What the debugger says, before it is text.
///
/// Flow: Debugger -> [views] -> ReplayText
#pragma once

#include "utils/analysis/index/IndexQuestions.h"
#include "utils/replay/Replay.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace instantrace {

/// Where one is, and why.
struct StopView {
  Stop Is;
  Timeline::Event Event; ///< that has just happened
  IndexFrame Frame;      ///< its record
  uint64_t TimeNs = 0;
  uint64_t Events = 0; ///< in the compile
  /// Of a watchpoint: the memory of what has ended, and before this event.
  std::optional<uint64_t> EndedBytes;
  uint64_t BytesBefore = 0;
  std::string Input; ///< what the compile is of
  uint32_t Compiles = 0;
  bool IsOtherCompile = false; ///< than at the stop before
  /// Of the line that it is at, if that is to be shown and is there.
  std::optional<std::string> Source;
};

struct StackView {
  struct Row {
    size_t Number; ///< 0 is the innermost
    IndexFrame Frame;
  };
  std::vector<Row> Rows;
  size_t Depth = 0; ///< of the whole stack
  size_t Selected = 0;
  uint64_t TimeNs = 0;
};

struct BreakpointView {
  uint32_t Number = 0;
  bool IsWatch = false;
  bool IsTemporary = false, IsEnabled = true;
  uint64_t Hits = 0, Ignore = 0;
  std::optional<uint64_t> Places; ///< records that it can stop at, if known
  bool IsPending = false;         ///< what it names is not there yet
  std::string What, Condition;
  std::vector<std::string> Commands;
};

/// What is known of an entity, over all that was recorded.
struct EntityView {
  uint32_t Id = 0;
  std::string Name, TemplateSet, Kind, DeclaredAt;
  IndexCostRow Costs; ///< of its records
  uint64_t Definitions = 0, AstBytes = 0;
  uint32_t Longest = InstantiationIndex::None; ///< the record that took longest
  uint64_t LongestNs = 0;
};

struct StatisticsView {
  uint32_t Compiles = 0, Records = 0, Entities = 0, Templates = 0;
  uint32_t Compile = 0;
  std::string Input;
  uint64_t Event = 0, Events = 0; ///< happened, and all, of the compile
  uint64_t TimeNs = 0, EndNs = 0;
  uint64_t Depth = 0, EndedBytes = 0, AllBytes = 0;
};

struct SourceView {
  struct Line {
    uint32_t LineNo;
    std::string Text;
    uint64_t Count = 0; ///< records that it requests
    uint64_t InclusiveNs = 0;
    bool IsTimed = true; ///< false: too many records to add up in time
  };
  std::string File;
  uint32_t Current = 0; ///< the line of the frame; 0: none
  std::vector<Line> Lines;
};

struct CompileView {
  uint32_t Number; ///< from 1
  std::string Input, Trace;
  uint64_t Events, EndNs;
  bool IsCurrent, IsIncomplete;
};

} // namespace instantrace
