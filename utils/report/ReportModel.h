/// \file
/// All that a report shows, computed: what is left is to write it down.
///
/// Flow:    events of each trace -> [ReportPart] -> [Reporter], in rounds
///          -> ReportModel -> ReportJson -> a page
/// Memory:  rows of all tables, bounded trees of paths and chains, a bit for
///          each interval; of a trace what its parts need
/// Threads: one for each part; one adds them
/// Leaves:  reading, to `report`; how anything looks, to utils/report/page
///
/// Every limit folds: what is not shown by itself is part of a sum that is. The
/// first round sums up costs, by which rows are chosen; the second one has
/// paths and the chains of these rows.
#pragma once

#include "utils/analysis/advice/AdviceFinder.h"
#include "utils/analysis/advice/HeaderFacts.h"
#include "utils/analysis/advice/TrialHistory.h"
#include "utils/analysis/chains/RowChains.h"
#include "utils/analysis/costs/CheckCosts.h"
#include "utils/analysis/costs/CostSink.h"
#include "utils/analysis/costs/MergedCosts.h"
#include "utils/analysis/costs/TimeParts.h"
#include "utils/analysis/overview/UserLines.h"
#include "utils/analysis/view/SinkGroup.h"
#include "utils/open/SourceFiles.h"
#include "utils/render/OverviewText.h"
#include "utils/report/FlameTree.h"
#include "utils/report/ReportChecks.h"
#include "utils/report/ReportIncludes.h"
#include "utils/report/ReportTables.h"
#include "utils/report/ReportTimeline.h"
#include "utils/report/SourceExcerpts.h"

#include <functional>
#include <map>
#include <mutex>
#include <optional>
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

/// What a change of a file makes compile again.
struct ReportTouch {
  std::string Name, Path; // below the project's root; as compiles read it
  uint64_t Units = 0, Ns = 0;
  uint64_t Commits = 0, WeekNs = 0; // 0: no history
};

struct ReportOptions {
  FilterSpec Filter;
  NameStyle Names;
  uint64_t NameBytes = 1024; // of a name; a longer one ends in a hash
  std::string Title;         // empty: what was compiled
  ProjectFolders Project;    // of the session; empty: of the first compile
  std::string Command;       // that was recorded, if known
  uint64_t WallNs = 0;       // of the whole build, if known
  Noise Within;
  bool HasSource = true;              // the page has lines of it
  std::vector<std::string> MoreRoots; // more folders to take it from
  TrialHistory Trials;                // of its suggestions
  CMakeReader CMake;                  // for them
  /// The costliest ones, if there are any to show.
  std::function<std::vector<ReportTouch>(HeaderFacts &)> Touches;
};

enum class ReportSideOf { New, Old };

struct ReportInput {
  bool HasOld = false; ///< two builds are compared
  /// What is a class, by the names of all traces of a build; null: by those of
  /// each trace.
  const LearnedScopes *Scopes = nullptr, *OldScopes = nullptr;
  /// Whether a compile, by its number in a file, has a partner; empty: all do.
  using HasPartner = std::function<bool(const std::string &File, uint32_t)>;
  HasPartner KeepsNew = {}, KeepsOld = {};
  std::string OldRoot, NewRoot; ///< CompileMatch
  /// The partner's input, by the old one's.
  std::map<std::string, std::string> InputOf;
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
  std::string Text; // in one sentence
  std::string Name, Place, Action, Snippet;
  std::string Tried, Correction; // empty: no trial says anything
  Saving Saves;
};

/// A line of the program, as the first screen of `summary` has it; clean.
struct ReportUserLine {
  std::string Name;          // of its row among the lines of your code
  std::string Place, Source; // of the project
  uint64_t Others = 0;       // places with the same #include
  uint64_t Ns = 0, Units = 0;
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
  std::string Title, Command;
  uint64_t RealtimeNs = 0; // when the first compile began; 0: not known
  uint64_t WallNs = 0;
  std::vector<ReportUserLine> Lines; // of the new build, largest first
  ReportSide New;
  std::optional<ReportSide> Old;
  std::vector<std::string> Notes;   // clean
  std::vector<ReportAdvice> Advice; // as advise has it by default
  uint64_t OtherAdvice = 0;         // suggestions that are not here
  std::vector<ReportTouch> Touches; // of the new build, most first
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

class Reporter;

/// What one trace adds in one round.
class ReportPart {
public:
  /// \p T is what the trace is read into. Both must outlive this.
  ReportPart(const Reporter &Whole, ReportSideOf Side, const Trace &T);
  ReportPart(const ReportPart &) = delete;
  ReportPart &operator=(const ReportPart &) = delete;

  TraceSink &events() { return Sinks; }
  /// All events have come. \p T is the trace, of which nothing is left.
  void finish(Trace &T);

private:
  friend class Reporter;
  bool isSums() const;

  const Reporter &Whole;
  const ReportSideOf Side;
  const Trace &T;
  SinkGroup Sinks;
  std::optional<IncludeChains> Inclusions;
  std::optional<CostSink> Costs, InclusionCosts;
  std::optional<CheckSink> Constraints, Candidates;
  std::optional<KeptSink> KeptEvents;
  std::optional<AdviceSink> AdviceEvents;
  std::optional<OverviewSink> Overview;
  std::optional<FlameSink> FlameEvents;
  std::optional<ChainSink> ChainEvents;
  // What is left:
  std::string File;
  Trace Names, Compiles;
  std::vector<uint64_t> CodeNs; // of each of these
  OverviewSums Sums;
  std::vector<std::string> Losses;
  CompileFolders Sources;
  PathFolders Folders;
  std::vector<CostTable> Tables;
  CostTable ByInclusion;
  CheckCosts Checks[2];
  KeptIntervals Kept;
  std::optional<AdviceFinder::TracePart> Advice;
  FlamePaths Flame;
  TraceChains Chains;
};

/// What all sizes of one report share.
class Reporter {
public:
  /// The input and the options must outlive the object. Requires: the filter
  /// can be made.
  Reporter(const ReportInput &Input, const ReportOptions &Opts);

  /// Of each round, all parts of the new build come first.
  void add(ReportPart &Part);
  /// The next round begins.
  void endSums();
  /// The last one has ended.
  void endPaths();

  /// Once all parts were added. Refers to rows of this object, which must
  /// outlive it. Requires: limits no larger than those of the first call.
  ReportModel model(const ReportLimits &Limits);

private:
  friend class ReportPart;
  /// One of the builds.
  struct Build {
    MergedNames Names;
    Trace Compiles;               ///< have no events and no names
    std::vector<uint64_t> CodeNs; ///< of each of these
    std::vector<MergedCosts> Tables;
    MergedCosts ByInclusion;
    std::vector<std::string> Losses;
    RemovedEvents Removed;
    KeptByFile Kept;
    TimeParts Parts{};
    uint64_t TotalNs = 0;
  };
  struct KeptTable {
    CostKeyName Key;
    RankedCosts Costs;
  };
  Build &side(ReportSideOf Side) {
    return Side == ReportSideOf::New ? New : Old;
  }
  static const Trace &namesOf(const ReportPart &Part);
  void addSums(ReportPart &Part, Build &Into);
  void addPaths(ReportPart &Part, Build &Into);
  std::string renamed(const FlameFrame &Frame, const Trace &T) const;
  void rankTables();
  void wantChains();
  std::vector<std::string> missing(const Build &B) const;
  ReportSide shownSide(const Build &B) const;
  void addChains(ReportModel &Model, const ReportLimits &Limits);
  ProjectFolders project() const;
  void addOrigin(ReportModel &Model);
  void addLines(ReportModel &Model);
  void addAdvice(ReportModel &Model);
  void addIncludes(ReportModel &Model, const ReportLimits &Limits);

  const ReportInput &Input;
  const ReportOptions &Opts;
  const TraceFilter Filter, OfInclusions; // copied by who asks them
  bool IsSums = true;                     // the first round
  Build New, Old;
  std::vector<KeptTable> Costs;
  MergedChecks CheckSums[2];
  std::vector<KeptChecks> Checks;
  bool HasBackend = false;
  OverviewSums Overview;         // of the new build
  CostTable ByLine, ByUserFrame; // with all rows, if source is read
  IncludeChains Inclusions;
  MergedFrames AllFrames;
  FlameTree Flame, Requested;
  bool HasRequests = false;
  std::vector<WantedRows> Wanted; // by table
  MergedChains Chains;
  // For advice, and lines of source:
  CompileFolders Sources;
  PathFolders Folders;
  std::optional<SourceRoots> Roots; // none: no source is read
  mutable std::mutex SourcesLock;   // of the next one
  std::optional<SourceFiles> Texts;
  AdviceSpec Advised;
  std::optional<AdviceFinder> Advisor;
  bool IsAdvisedTwice = false;
  std::optional<AdviceReport> Advice; // of the new build
  std::vector<ReportTouch> Touches;   // likewise
};

} // namespace instantrace
