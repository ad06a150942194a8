/// \file
/// The difference of two builds as text, Markdown or records.
///
/// Flow:   CompileMatch, diffCosts() -> [DiffText] -> stdout
#pragma once

#include "utils/analysis/costs/CompileMatch.h"
#include "utils/analysis/costs/CostDiff.h"
#include "utils/render/BudgetText.h"
#include "utils/render/RecordText.h"
#include "utils/render/Terminal.h"

#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

/// One of the two builds, with only the compiles that are compared.
struct ComparedBuild {
  const Trace *Names = nullptr; ///< of the rows
  size_t Compiles = 0;
  CostTable Costs;
  std::vector<std::string> Only; ///< inputs of compiles that are not compared
  uint64_t OnlyNs = 0;           ///< what these take
  /// Of those that make something for the compared ones, and are in Costs.
  std::vector<std::string> Prerequisites = {};
};

struct BuildDiff {
  const ComparedBuild &Old, &New;
  const CostDiff &Rows;
  Noise Within;
  const std::vector<JudgedBound> &Bounds;
  std::vector<std::string> Renamed = {}; ///< renamedTexts()
  /// By the files that asked; null: nobody wants them.
  const CostDiff *Files = nullptr;
  std::string Compilers = {}; ///< compilerDifference()
  /// By kind of work, of builds by two compilers; null or empty: not wanted.
  const CostDiff *Kinds = nullptr;
};

/// "/b/new.cpp is compared with /a/old.cpp, a file of another name: ..." for
/// each.
std::vector<std::string> renamedTexts(const CompileMatch &Match,
                                      const Trace &Old, const Trace &New);

struct DiffTextStyle {
  std::string_view What; ///< a row is
  NameStyle Names;
  size_t Shown = 20;                    ///< rows; 0: all
  CostOrder SortedBy = CostOrder::Self; ///< has a column in text
};

void writeDiff(Output &Out, const BuildDiff &Diff, const DiffTextStyle &Style,
               const Terminal &Term);
void writeDiffMarkdown(Output &Out, const BuildDiff &Diff,
                       const DiffTextStyle &Style);
void writeDiffRecords(Output &Out, RecordFormat Format, const BuildDiff &Diff,
                      const DiffTextStyle &Style);

} // namespace instantrace
