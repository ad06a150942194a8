/// \file
/// Costs of a trace whose events come twice: first for what has to be known of
/// all of them, then for the rows.
///
/// Flow:   TraceStreams -> [TraceFacts] -> TraceStreams -> [CostSink]
///         -> KeyCosts
#ifndef INSTANTRACE_UTILS_ANALYSIS_COSTS_COSTSINK_H
#define INSTANTRACE_UTILS_ANALYSIS_COSTS_COSTSINK_H

#include "runtime/read/TraceReader.h"
#include "utils/analysis/costs/CostFeed.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace instantrace {

/// The first time. Of the trace that it was given last.
class TraceFacts : public TraceSink {
public:
  void beginTrace(const std::string &) override { Sequences.clear(); }
  EventSink &beginSequence(uint32_t) override {
    Collector = {};
    return Collector;
  }
  void endSequence(Sequence &S) override {
    Sequences.emplace_back(S, std::move(Collector));
  }

  const std::vector<SequenceFacts> &sequences() const { return Sequences; }
  ObservedWork observed() const {
    ObservedWork Sum;
    for (const SequenceFacts &Each : Sequences)
      Sum += Each.Observed;
    return Sum;
  }

private:
  FactCollector Collector;
  std::vector<SequenceFacts> Sequences;
};

/// The second time.
class CostSink : public TraceSink {
public:
  /// Told before the intervals of each sequence.
  using AtSequence = std::function<void(uint32_t Index)>;

  /// All must outlive it. \p Other may be null.
  CostSink(const TraceFacts &Facts, std::span<KeyCosts> Tables,
           IntervalListener *Other = nullptr, AtSequence Before = {})
      : Facts(Facts), Tables(Tables), Other(Other), Before(std::move(Before)) {}

  EventSink &beginSequence(uint32_t Index) override {
    Feed.reset();
    // A file may change between the two times.
    if (Index >= Facts.sequences().size())
      return None.beginSequence(Index);
    if (Before)
      Before(Index);
    return Feed.emplace(Index, Facts.sequences()[Index], Tables, Other);
  }
  void endSequence(Sequence &) override {
    if (Feed)
      Feed->finish();
  }

private:
  const TraceFacts &Facts;
  std::span<KeyCosts> Tables;
  IntervalListener *Other;
  AtSequence Before;
  std::optional<CostFeed> Feed;
  NoEvents None;
};

} // namespace instantrace

#endif
