/// \file
/// All that a report shows, computed: what is left is to write it down.
///
/// Flow:   Trace, filters -> [ReportModel] -> ReportJson -> a page
/// Leaves: how anything looks, to utils/report/page
///
/// Every limit folds: what is not shown by itself is part of a sum that is.
#ifndef INSTANTRACE_UTILS_REPORT_REPORTMODEL_H
#define INSTANTRACE_UTILS_REPORT_REPORTMODEL_H

#include "utils/analysis/advice/Advice.h"
#include "utils/analysis/costs/TimeParts.h"
#include "utils/report/FlameTree.h"
#include "utils/report/ReportChecks.h"
#include "utils/report/ReportIncludes.h"
#include "utils/report/ReportTables.h"
#include "utils/report/ReportTimeline.h"
#include "utils/report/SourceExcerpts.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace instantrace {

/// How much a page holds.
struct ReportLimits {
  size_t FlameNodes = 30000;
  size_t Rows = 1500;        // of each table
  size_t Chains = 8;         // of each row
  size_t SourceLines = 8000; // 0: no source is read
  size_t Units = 5000;       // of the timeline
  size_t Includes = 10000;   // of the tree of inclusions

  ReportLimits scaled(double Factor) const {
    auto Less = [Factor](size_t Count) {
      return 1 + size_t(double(Count) * Factor);
    };
    return {Less(FlameNodes), Less(Rows),
            Less(Chains),     size_t(double(SourceLines) * Factor),
            Less(Units),      Less(Includes)};
  }
};

struct ReportOptions {
  FilterSpec Filter;
  NameStyle Names;
  uint64_t NameBytes = 1024; // of a name; a longer one ends in a hash
  std::string Title;         // empty: what was compiled
  Noise Within;
  bool HasSource = true;              // the page has lines of it
  std::vector<std::string> MoreRoots; // more folders to take it from
};

/// Both builds are those that were compared: each compile has a partner.
struct ReportInput {
  const Trace *New = nullptr;
  const Trace *Old = nullptr;   // null: there is one build
  std::string OldRoot, NewRoot; // CompileMatch
  /// What else is to be said of the input, such as compiles without partner.
  std::vector<std::string> Notes;
};

struct ReportSide {
  uint64_t TotalNs = 0;
  size_t Compiles = 0;
  std::vector<std::string> Inputs; // clean
  TimeParts Parts{};               // add up to the whole
};

/// A suggestion, clean.
struct ReportAdvice {
  std::string_view Kind;
  std::string Name, Place, Action, Snippet;
  Saving Saves;
};

/// One frame of a chain; what is outside it comes before it.
struct ReportFrame {
  uint32_t Outer = 0; // its number from 1; 0: none
  uint32_t Name = 0;  // ReportTexts
  uint32_t Place = 0; // likewise
  bool IsLate = false, IsInclusion = false;
};

struct ReportModel {
  ReportTexts Texts;
  std::string Title;
  ReportSide New;
  std::optional<ReportSide> Old;
  std::vector<std::string> Notes;   // clean
  std::vector<ReportAdvice> Advice; // as advise has it by default
  uint64_t OtherAdvice = 0;         // suggestions that are not here
  std::vector<FlameNode> Flame;
  uint64_t FlameOthers = 0; // nodes that are folded
  /// The same by who requested it; empty: nothing came late.
  std::vector<FlameNode> Requested;
  uint64_t RequestedOthers = 0;
  ReportTimeline Timeline; // of the new build
  std::vector<ReportTable> Tables;
  std::vector<ReportChecks> Checks;    // of the new build
  bool HasBackend = false;             // a build has what LLVM did
  std::vector<ReportFrame> Frames;     // of the rows' chains
  std::vector<ReportInclude> Includes; // of the new build
  bool HasSource = false;              // whether any was to be had was asked
  SourceExcerpts Source;
};

/// What all sizes of one report share. The traces are gone through for the
/// first, and for no other, by as many threads as there are processors.
class Reporter {
public:
  /// The input and the options must outlive the object. Requires: the filter
  /// can be made.
  Reporter(const ReportInput &Input, const ReportOptions &Opts);

  /// Refers to rows of this object, which must outlive it. Requires: limits no
  /// larger than those of the first call.
  ReportModel model(const ReportLimits &Limits);

private:
  struct MadeTable {
    CostKeyName Of;
    RankedCosts Costs;
    CostTable New, Old; // their sums; rows as far as source needs them
    TimeParts Parts{}, OldParts{}; // of the table by kind
  };
  struct KeptTable {
    CostKeyName Of;
    RankedCosts Costs;
  };
  std::vector<MadeTable> makeTables(std::span<const CostKeyName> Names) const;
  void keep(MadeTable Table);
  void makeAllTables();
  void makeAdvice();
  void findNodes();
  void findInclusions();
  void learnScopes();
  void countChecks();
  void makeFlame();
  void makeRequested();
  std::vector<std::string> fill(FlameTree &Flame) const;
  void makeChains(const ReportModel &Largest, size_t Most);
  void addChains(ReportModel &Model, const ReportLimits &Limits);
  void addAdvice(ReportModel &Model) const;
  void addIncludes(ReportModel &Model, const ReportLimits &Limits);

  const ReportInput &Input;
  const ReportOptions &Opts;
  const TraceFilter Filter; // copied by who asks it
  AdviceReport Advice;      // of the new build
  LearnedScopes Learned, OldLearned;
  std::vector<KeptTable> Costs;
  std::vector<KeptChecks> Checks;
  TimeParts Parts{}, OldParts{};
  uint64_t TotalNs = 0, OldTotalNs = 0;
  bool HasBackend = false;
  CostTable ByLine, ByUserFrame; // with all rows, if source is read
  IncludeChains Inclusions;
  FlameTree Flame{FlameNesting::Around}, Requested{FlameNesting::Requested};
  bool HasRequests = false;
  std::vector<std::string> FlameNotes;
  ChainTree Tree;
  ChainNodes Nodes;                 // until there are chains
  std::vector<RowChains> Chains;    // by table
  std::optional<SourceRoots> Roots; // none: no source is read
};

} // namespace instantrace

#endif
