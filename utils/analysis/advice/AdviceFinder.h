/// \file
/// Finds advice for a build of which one trace at a time is in memory.
///
/// Flow:    each Trace -> [AdviceFinder] -> TracePart -> AdviceFinder, once or
///          twice -> AdviceReport
/// Threads: any one makes a part; one adds them
/// Memory:  rows, and at most some 20 kB for each compile (HeaderFacts,
///          Precompile)
/// Leaves:  filters that compare names of all traces
///          (FilterSpec::needsAllNames)
#ifndef INSTANTRACE_UTILS_ANALYSIS_ADVICE_ADVICEFINDER_H
#define INSTANTRACE_UTILS_ANALYSIS_ADVICE_ADVICEFINDER_H

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

class AdviceFinder {
public:
  /// Both must outlive the object. So must \p Staying, which has all compiles;
  /// without it, names are kept of what can come to be shown.
  AdviceFinder(const TraceFilter &Filter, const AdviceSpec &Spec,
               const Trace *Staying = nullptr);
  ~AdviceFinder();

  /// What is left of a trace.
  struct TracePart {
    std::string File;
    Trace Names; ///< has no events
    /// By compile, then by rule; null: it has none.
    std::vector<std::vector<std::unique_ptr<AdvicePart>>> Parts;
    LearnedScopes Scopes;
    uint64_t TotalNs = 0;
  };

  TracePart partOf(Trace T) const;
  void add(TracePart Of);
  /// All were added. Whether they are wanted a second time.
  bool endFirst();
  /// None: this is not one of them. Requires: endFirst().
  std::optional<TracePart> partAgain(Trace T) const;
  AdviceReport take();

  /// The names in the report, as long as the object lives.
  const Trace &names() const { return Facts.Names.trace(); }

  /// Of the trace that stays.
  AdviceReport find();

private:
  /// While they are looked at by one thread.
  struct Views {
    Views(const Trace &T, TraceFilter Filter, const LearnedScopes *Scopes);
    const Trace &T;
    TraceFilter Filter;
    EntityGroups Templates;
    std::optional<EntityGroups> Classes;
  };
  using Parts = std::vector<std::unique_ptr<AdvicePart>>;
  Parts partsOf(Views &Of, uint32_t Index, uint32_t Number,
                uint64_t &TotalNs) const;
  TracePart partOf(Trace T, uint32_t First) const;
  bool areClassesAsked() const;
  void add(Parts &Of, const Trace &T);

  const TraceFilter &Filter;
  AdviceFacts Facts;
  AdviceReading Reading = AdviceReading::First;
  std::vector<std::pair<AdviceKind, std::unique_ptr<AdviceRule>>> Rules;
  std::vector<AdvicePass *> Passes; ///< the rules', and what they share
  LearnedScopes Scopes;
  uint64_t Compiles = 0;
  struct Compilation {
    uint32_t First, Count;
  };
  std::unordered_map<std::string, Compilation> ByFile;
};

} // namespace instantrace

#endif
