/// \file
/// The first screen: totals, where the time went, the lines of the program that
/// cost most, what to do, and which command comes next.
///
/// Flow:   OverviewSums, UserLines, AdviceReport -> [OverviewText] -> stdout
///
/// It has at most 30 lines of 80 columns. In a pipe it is the same without bars
/// and colours.
#pragma once

#include "utils/analysis/advice/Advice.h"
#include "utils/analysis/overview/UserLines.h"
#include "utils/render/Output.h"
#include "utils/render/ProjectPath.h"
#include "utils/render/Terminal.h"
#include "utils/render/UnfinishedText.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace instantrace {

struct ShownUserLine {
  UserLine Line;
  std::string Place; ///< `file:line`, of the project
  /// The line as it was compiled; empty: it is not to be had.
  std::string Source;
};

/// As it is written, in one printable line, or what is known without the file.
std::string sourceText(const ShownUserLine &Line);

struct OverviewScreen {
  const OverviewSums &Sums;
  ProjectFolders Project;
  std::vector<ShownUserLine> Lines; ///< as many as are shown, one at least
  size_t AllLines;                  ///< how many there are
  const AdviceReport &Advice;
  const Trace &AdviceNames;
  NameStyle Names;
  std::string Inputs; ///< as a command takes them
  std::optional<uint64_t> WallNs =
      std::nullopt;         ///< of the whole build, if known
  uint64_t MemoryBytes = 0; ///< of this machine; 0: not known
  unsigned Processors = 0;  ///< of this machine; 0: not known
  size_t Traces = 0;
  bool IsIncomplete = false;
  std::vector<ExplainedCompile> Unfinished = {}; ///< for records alone
  /// Compiles without a trace; none: not known.
  std::optional<uint64_t> Unprofiled = std::nullopt;
};

/// As many lines as a screen has.
inline constexpr size_t LinesOnScreen = 6, SuggestionsOnScreen = 5;

void writeOverviewText(Output &Out, const OverviewScreen &Screen,
                       const Terminal &Term);
/// One JSON object with the same.
void writeOverviewRecord(Output &Out, const OverviewScreen &Screen);

} // namespace instantrace
