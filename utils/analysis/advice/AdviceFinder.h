/// \file
/// Finds advice for a build of which one compile at a time is in memory.
///
/// Flow:    events of each trace -> [AdviceSink] -> TracePart ->
///          [AdviceFinder], once or twice -> AdviceReport
/// Threads: any one makes a part; one adds them
/// Memory:  rows, and at most some 20 kB for each compile (HeaderFacts,
///          Precompile); while a trace is read, the events of one compile
#pragma once

#include "runtime/read/TraceReader.h"
#include "utils/analysis/advice/Advice.h"
#include "utils/analysis/advice/AdviceRule.h"
#include "utils/analysis/names/NameGroups.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace instantrace {

/// What it takes to compile a unit again.
struct RecordedCompile {
  TraceSession Session;
  std::string BuildFolder; ///< where relative paths of suggestions begin
  uint64_t Ns = 0;         ///< without our own work
};

class AdviceFinder {
public:
  /// All must outlive the object. The filter selects what suggestions are
  /// about; what that drags along counts whatever it is. \p Compared is what it
  /// compares names by, null: by those of each trace.
  AdviceFinder(const TraceFilter &Filter, const AdviceSpec &Spec,
               const LearnedScopes *Compared = nullptr);
  ~AdviceFinder();

  /// What is left of a trace.
  struct TracePart {
    std::string File;
    Trace Names; ///< has no events
    /// By compile, then by rule; null: it has none.
    std::vector<std::vector<std::unique_ptr<AdvicePart>>> Parts;
    LearnedScopes Scopes;
    uint64_t TotalNs = 0;
    std::vector<RecordedCompile> Compiles; ///< if they are kept
  };

  void add(TracePart Added);
  /// All were added. Whether they are wanted a second time.
  bool endFirst();
  AdviceReport take();
  /// What files compiles read, if a kind of advice asks for it; then not null.
  HeaderFacts *headers() { return Facts.knownHeaders(); }

  /// By number, if they are kept.
  const std::vector<RecordedCompile> &compiles() const { return KeptCompiles; }

  /// The names in the report, as long as the object lives.
  const Trace &names() const { return Facts.Names.trace(); }

private:
  friend class AdviceSink;
  /// While they are looked at by one thread.
  struct Views {
    Views(const Trace &T, TraceFilter Filter, const LearnedScopes *Compared,
          const LearnedScopes *Scopes);
    const Trace &T;
    TraceFilter Filter;
    EntityGroups Templates;
    std::optional<EntityGroups> Classes;
  };
  using Parts = std::vector<std::unique_ptr<AdvicePart>>;
  Parts partsOf(Views &V, uint32_t Index, uint32_t Number,
                uint64_t &TotalNs) const;
  bool areClassesAsked() const;
  /// Of the second reading: those of a trace that was in the first.
  uint32_t numberOf(const std::string &File, uint32_t Index) const;
  void add(Parts &Added, const Trace &T);

  const TraceFilter &Filter;
  const LearnedScopes *Compared;
  AdviceFacts Facts;
  AdviceReading Reading = AdviceReading::First;
  std::vector<std::pair<AdviceKind, std::unique_ptr<AdviceRule>>> Rules;
  std::vector<AdvicePass *> Passes; ///< the rules', and what they share
  LearnedScopes Scopes;
  uint64_t Compiles = 0;
  std::vector<RecordedCompile> KeptCompiles;
  void addReaders(Suggestion &S);
  struct Compilation {
    uint32_t First, Count;
  };
  std::unordered_map<std::string, Compilation> ByFile;
};

/// Makes a part of a trace while that is read.
class AdviceSink final : public TraceSink, EventSink {
public:
  /// Both must outlive it; \p T is what the trace is read into. Nothing is
  /// added to the finder but parts of the same reading meanwhile.
  AdviceSink(const AdviceFinder &Finder, const Trace &T)
      : Finder(Finder), T(T) {}

  EventSink &beginSequence(uint32_t Index) override;
  void endSequence(Sequence &S) override;
  /// Once, when all events have come. Takes the names of the trace.
  AdviceFinder::TracePart take(Trace &Source);

private:
  void begin(IntervalId Id, const Interval &I) override;
  void end(IntervalId Id, const Interval &I,
           const ElidedLeaves &Leaves) override;
  void instant(const Instant &I) override;

  const AdviceFinder &Finder;
  const Trace &T;
  std::optional<AdviceFinder::Views> Views; ///< since the first compile
  AdviceFinder::TracePart Made;
  Sequence Events;         ///< of this compile; nothing else of it
  uint32_t Index = 0;      ///< of the sequence
  uint32_t BeginCount = 0; ///< sequences: of some traces, not all are wanted
};

} // namespace instantrace
