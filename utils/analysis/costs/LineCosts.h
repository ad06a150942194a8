/// \file
/// What each line of files costs.
///
/// Flow:   events, TraceFilter -> [LineSink] -> FileCosts of each compile,
///         add() -> annotate
/// Leaves: the text of the lines
/// Memory: lines of these files, open and requested intervals, some bytes for
///         each entity and location
///
/// Which file is meant is known when all compiles are: one that ends as it was
/// asked for gives way to one that is spelled exactly so in another compile. So
/// each compile has the costs of what is meant most in it, and these add up as
/// long as they are of the same file.
#pragma once

#include "runtime/read/TraceReader.h"
#include "utils/analysis/costs/Costs.h"
#include "utils/analysis/view/FunctionHomes.h"
#include "utils/analysis/view/OpenTimes.h"
#include "utils/analysis/view/TraceFilter.h"
#include "utils/analysis/view/UserFrame.h"

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace instantrace {

struct LineCost {
  uint64_t CausedNs = 0;       ///< self time of all that has it as user frame
  uint64_t InclusiveNs = 0;    ///< of outermost intervals that it asked for
  uint64_t InclusiveCount = 0; ///< of these, and of all inside
  uint64_t SelfNs = 0;         ///< of all that it asked for
  uint64_t Count = 0;
  uint64_t Memoized = 0; ///< hits inside these intervals
  /// Of functions that were instantiated for it; no part of the times above.
  BackendCost Requested;
  /// Of functions that are declared in the line.
  BackendCost Own;

  LineCost &operator+=(const LineCost &More);
};

/// Lines that have one cost, under the number of the first.
struct LineRange {
  uint32_t First = 0, Count = 0;
};

/// A file that is asked for. Under #line, a file is both the one that was read
/// and the one that was named.
struct WantedFile {
  /// A full path or some of its last components; of another checkout, a full
  /// path that has the longest end in common with one of the trace.
  std::string Path;
  /// Absolute and normal: this one rather than others, if it was compiled.
  std::string Preferred = {};
  /// Ascending: they have costs instead of single lines. Empty: each line has
  /// its own.
  std::vector<LineRange> Places = {};
};

/// How much a path is what was asked for: the number of last components that
/// are alike, or one of the others.
enum class PathMatch : uint32_t {
  None = 0,
  Ends = UINT32_MAX - 2, ///< like the wanted one, all of it
  Exact,
  Preferred
};

struct FileCosts {
  /// Normal paths in the trace that the wanted one means; costs are only there
  /// if it is one.
  std::vector<std::string> Paths;
  PathMatch Match = PathMatch::None;
  std::string WorkingDirectory; ///< of the first compile that has the file
  std::map<uint32_t, LineCost> Lines;
  LineCost Total;
  uint64_t TotalNs = 0; ///< of all sequences, without our own work
  bool HasBackend = false;

  /// They only end like the wanted one.
  bool areAlike() const {
    return Match != PathMatch::None && Match < PathMatch::Ends;
  }
  /// The same wanted file in other compiles.
  void add(const FileCosts &More);
};

class LineSink final : public TraceSink, EventSink {
public:
  /// Both must outlive it. \p T is what the trace is read into: it has its
  /// tables when its events begin. Filters remember what they are asked, so
  /// \p Filter is copied.
  LineSink(const Trace &T, const std::vector<WantedFile> &Wanted,
           const TraceFilter &Filter);

  LookAhead *lookAhead() override { return &Ahead; }
  EventSink &beginSequence(uint32_t Index) override;
  void endSequence(Sequence &S) override;

  /// By sequence, then by what is wanted.
  std::vector<std::vector<FileCosts>> Compiles;

private:
  /// A file of the compile that has costs.
  struct Target {
    FileCosts &Costs;
    std::vector<uint32_t> LineOf;     ///< by location; 0: another file
    std::vector<uint32_t> DeclaredOf; ///< by number of a declaration location
    std::unordered_map<uint32_t, uint32_t> Open; ///< selected intervals by line
    uint32_t OpenLines = 0;

    uint32_t lineOf(LocationId Id) const;
  };

  void begin(IntervalId Id, const Interval &I) override;
  void end(IntervalId Id, const Interval &I, const ElidedLeaves &) override;
  void instant(const Instant &) override {}

  void findTargets();
  void addTarget(const std::vector<LineRange> &Places,
                 const std::vector<NameId> &Spelled, FileCosts &Costs);
  void addFunction(EntityId Id, const BackendCost &Cost);

  const Trace &T;
  std::vector<WantedFile> Wanted; ///< with normal paths
  TraceFilter Filter;
  // Of this sequence:
  const Sequence *S = nullptr;
  LookAhead Ahead;
  std::vector<Target> Targets;
  uint64_t TotalNs = 0;
  uint32_t BeginCount = 0;
  OpenTimes Times;
  UserFrames Frames;
  FunctionHomes Homes;
  struct OpenInterval {
    uint32_t BegunBefore;
    bool IsCounted; ///< whatever it lasts
  };
  std::vector<OpenInterval> Open;
};

} // namespace instantrace
