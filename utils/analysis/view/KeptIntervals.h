/// \file
/// Which intervals a picture of paths has: those that are selected, and what is
/// around them, down to a depth.
///
/// Flow:   events, TraceFilter -> [KeptSink] -> KeptIntervals -> FlameSink, in
///         the next round
/// Memory: a bit for each interval, and what is open
///
/// Whether anything inside an interval is selected is known at its end, and its
/// path when it begins. So this takes a round of its own.
#pragma once

#include "runtime/read/TraceReader.h"
#include "utils/analysis/view/ExportPlan.h"
#include "utils/analysis/view/TraceFilter.h"

#include <cstdint>
#include <vector>

namespace instantrace {

struct KeptIntervals {
  std::vector<std::vector<bool>> Kept; ///< by sequence
  RemovedEvents Removed;
  bool HasRequests = false;
};

class KeptSink final : public TraceSink, EventSink {
public:
  /// \p T is what the trace is read into, and must outlive this, as \p Learned
  /// must, which may be null.
  KeptSink(const Trace &T, const TraceFilter &Filter, uint64_t MaxDepth,
           const LearnedScopes *Learned)
      : T(T), Filter(Filter), MaxDepth(MaxDepth), Learned(Learned) {}

  EventSink &beginSequence(uint32_t Index) override {
    if (Made.Kept.empty())
      Filter.enterTrace(T, Learned);
    Filter.enterSequence(Index);
    Made.Kept.resize(Index + size_t(1));
    Bits = &Made.Kept.back();
    return *this;
  }
  void endSequence(Sequence &) override {}
  KeptIntervals take() { return std::move(Made); }

private:
  struct OpenInterval {
    bool IsWanted = false;  ///< something inside is selected
    uint64_t RemovedNs = 0; ///< of outermost ones inside
    uint64_t Instants = 0;  ///< inside, that are selected
  };

  void begin(IntervalId, const Interval &I) override {
    Bits->push_back(false);
    Open.emplace_back();
    Made.HasRequests |= static_cast<bool>(I.Requester);
  }
  void end(IntervalId Id, const Interval &I, const ElidedLeaves &) override {
    const OpenInterval O = Open.back();
    const bool IsDeep = Open.size() > MaxDepth;
    Open.pop_back();
    const bool IsWanted = O.IsWanted || Filter.selects(I);
    const bool IsKept = IsWanted && !IsDeep;
    (*Bits)[Id.Value] = IsKept;
    if (!IsKept) {
      ++Made.Removed.Intervals;
      Made.Removed.Instants += O.Instants;
    }
    uint64_t RemovedNs = IsKept ? O.RemovedNs : I.durationNs();
    if (Open.empty()) {
      Made.Removed.Ns += RemovedNs;
      return;
    }
    Open.back().RemovedNs += RemovedNs;
    Open.back().IsWanted |= IsWanted;
  }
  void instant(const Instant &I) override {
    const bool IsSelected = Filter.selects(I);
    if (IsSelected && !Open.empty()) {
      Open.back().IsWanted = true;
      ++Open.back().Instants;
    }
    Made.Removed.Instants += !IsSelected;
  }

  const Trace &T;
  TraceFilter Filter;
  const uint64_t MaxDepth;
  const LearnedScopes *Learned;
  KeptIntervals Made;
  std::vector<bool> *Bits = nullptr; ///< of the sequence
  std::vector<OpenInterval> Open;
};

} // namespace instantrace
