/// \file
/// Costs of a trace by any number of keys, from one pass over its events.
///
/// Flow:   TraceReader -> [CostSink] -> CostFeed -> KeyCosts
///         -> CostTable
/// Memory: rows, open and requested intervals, some bytes for each entity
#pragma once

#include "runtime/read/TraceReader.h"
#include "utils/analysis/costs/CostFeed.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace instantrace {

class CostSink : public TraceSink {
public:
  /// All must outlive it. \p T is what the trace is read into: it has its
  /// tables when its events begin. Filters remember what they are asked, so
  /// \p Filter is copied. \p Learned and \p Other may be null.
  CostSink(const Trace &T, std::span<const CostKey> Keys,
           const TraceFilter &Filter, const LearnedScopes *Learned = nullptr,
           IntervalListener *Other = nullptr);
  CostSink(const CostSink &) = delete;
  CostSink &operator=(const CostSink &) = delete;

  /// Of other compiles, nothing is in the tables. Before the first one begins.
  void sumOnly(std::function<bool(uint32_t Index)> Wanted) {
    IsSummed = std::move(Wanted);
  }

  LookAhead *lookAhead() override { return &Ahead; }
  EventSink &beginSequence(uint32_t Index) override;
  void endSequence(Sequence &) override { finishSequence(); }

  /// A table for each key, of the sequences since this was called last.
  std::vector<CostTable> take(bool AreKindsKept);

private:
  void enterTrace();
  void finishSequence();

  const Trace &T;
  std::vector<CostKey> Keys;
  TraceFilter Filter;
  const LearnedScopes *Learned;
  IntervalListener *Other;
  std::function<bool(uint32_t Index)> IsSummed; ///< empty: all
  bool HasNames = false;
  std::vector<KeyCosts> Tables; ///< of the keys, when there are names
  LookAhead Ahead;
  std::optional<CostFeed> Feed;
};

/// The costs of each compile of a trace by itself.
class CompileCostSink final : public CostSink {
public:
  using CostSink::CostSink;
  void endSequence(Sequence &S) override {
    CostSink::endSequence(S);
    Compiles.push_back(take(/*AreKindsKept=*/false));
  }

  /// By sequence, then by key.
  std::vector<std::vector<CostTable>> Compiles;
};

} // namespace instantrace
