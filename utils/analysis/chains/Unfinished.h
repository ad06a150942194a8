/// \file
/// What a compile was doing when it ended as it should not: the chain of open
/// instantiations, the program's line that asked for it, and what grew.
///
/// Flow:   events of a trace -> [UnfinishedSink] -> UnfinishedText
/// Leaves: sources, text of a screen
/// Memory: open intervals, a row for each template
///
/// A compile that was killed has intervals without an end. One that failed has
/// none: its footer names the interval that the error came in.
#pragma once

#include "runtime/read/TraceReader.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace instantrace {

/// One level of the chain.
struct OpenStep {
  EventKind Kind{};
  std::string Name; ///< empty: a phase
  uint64_t OpenNs = 0;
};

/// A place of the program; LineNo 0: not known.
struct ProgramPlace {
  std::string Path; ///< normal
  uint32_t LineNo = 0;
};

enum class GrowthKind : uint8_t {
  Unknown,
  Doubling, ///< each specialization is about twice the last
  Linear,   ///< as many specializations as the recursion is deep
};

struct SpecializationGrowth {
  std::string Name;
  uint64_t Ns = 0; ///< 0: it is open
  uint64_t AstBytes = 0, MemoryBytes = 0;
};

/// What a template of the chain took.
struct TemplateGrowth {
  std::string Name; ///< empty: none stands out
  GrowthKind Kind = GrowthKind::Unknown;
  uint64_t Specializations = 0, Depth = 0;
  uint64_t Ns = 0, AstBytes = 0;
  uint64_t MemoryBytes = 0;                 ///< by which the process grew
  std::vector<SpecializationGrowth> Newest; ///< a few, oldest first
};

struct UnfinishedCompile {
  std::string Trace, Input, WorkingDirectory;
  ExitState State = ExitState::Unknown;
  bool IsRunning = false;
  uint32_t Signal = 0;
  bool RanOutOfMemory = false; ///< it asked for memory and got none
  uint64_t RealtimeNs = 0;     ///< when it began
  uint64_t WallNs = 0;         ///< until the last event
  uint64_t CpuNs = 0;          ///< of the process; else of the events
  uint64_t PeakBytes = 0;      ///< 0: not known
  uint64_t DepthLimit = 0;     ///< at which it failed; 0: it did not
  std::string Pass;            ///< of the optimizer, that was running
  std::vector<OpenStep> Open;  ///< outermost first
  ProgramPlace Innermost;      ///< line nearest to the innermost step
  ProgramPlace Asked;          ///< outermost line
  TemplateGrowth Growth;       ///< of the one that took most time
  TemplateGrowth Memory;       ///< of the one in which the process grew most
};

/// Whether its end has to be explained. One that still runs has none.
bool isUnfinished(const Sequence &S);

class UnfinishedSink final : public TraceSink, EventSink {
public:
  /// How a name becomes text, which only what shows it knows.
  using TextFunction = std::function<std::string(const Dictionary &, NameId)>;

  /// \p T must outlive it, and is what the trace is read into. \p WantsRunning:
  /// also those that have not ended.
  UnfinishedSink(const Trace &T, TextFunction TextOf,
                 bool WantsRunning = false);
  ~UnfinishedSink() override;

  LookAhead *lookAhead() override;
  EventSink &beginSequence(uint32_t Index) override;
  void endSequence(Sequence &S) override;
  /// Each compile for which isUnfinished(), and those that run if wanted.
  std::vector<UnfinishedCompile> take() { return std::move(Found); }

private:
  void begin(IntervalId Id, const Interval &I) override;
  void end(IntervalId Id, const Interval &I,
           const ElidedLeaves &Leaves) override;
  void instant(const Instant &) override {}

  class Chain;
  const Trace &T;
  TextFunction TextOf;
  bool WantsRunning;
  std::unique_ptr<Chain> Current; ///< null: the compile has ended as it should
  std::unique_ptr<LookAhead> Ahead;
  std::vector<UnfinishedCompile> Found;
};

} // namespace instantrace
