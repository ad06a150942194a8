/// \file
/// Replays what a plan keeps of a sequence, with what it removes folded.
///
/// Flow:   Sequence, ExportPlan -> [walkExport] -> one format
/// Leaves: names (ExportFrames), text
///
/// Neighbouring removed subtrees become one *fold*: it begins where the first
/// of them does and lasts as long as all of them together, so the self time of
/// what is around it stays what it is, and no fold reaches into a sibling that
/// is kept. There are at most twice as many folds as kept events, and one.
#pragma once

#include "utils/analysis/view/EventWalk.h"
#include "utils/analysis/view/ExportPlan.h"

#include <vector>

namespace instantrace {

struct Fold {
  uint64_t BeginNs = 0;
  uint64_t DurationNs = 0;
  uint64_t Intervals = 0; // with those inside the removed ones
  uint64_t AstBytes = 0;
  IntervalId Inside; // none: outermost
};

/// Adapts a visitor of exports to walkEvents().
template <class Visitor> class ExportWalk {
public:
  ExportWalk(const Sequence &S, size_t Index, const ExportPlan &Plan,
             Visitor &V)
      : S(S), Index(Index), Plan(Plan), V(V) {}

  void begin(IntervalId Id) {
    const Interval &I = S.Intervals[Id.Value];
    if (Plan.keeps(Index, Id)) {
      flush();
      Open.push_back(Id);
      V.begin(Id);
      return;
    }
    IntervalId Inside = Open.empty() ? IntervalId{} : Open.back();
    if (I.Parent == Inside) {
      if (Folded.Intervals == 0)
        Folded.BeginNs = I.BeginNs;
      Folded.Inside = Inside;
      Folded.DurationNs += I.durationNs();
    }
    ++Folded.Intervals;
    Folded.AstBytes += I.AstBytes;
  }

  void end(IntervalId Id) {
    if (Plan.keeps(Index, Id))
      endKept(Id);
  }

  void instant(const Instant &I) {
    if (!Plan.keeps(Index, I))
      return;
    flush(); // so that times never go back
    V.instant(I);
  }

  void finish() {
    while (!Open.empty())
      endKept(Open.back());
    flush();
  }

private:
  void endKept(IntervalId Id) {
    flush();
    Open.pop_back();
    V.end(Id);
  }
  void flush() {
    if (Folded.Intervals != 0)
      V.fold(Folded);
    Folded = {};
  }

  const Sequence &S;
  size_t Index;
  const ExportPlan &Plan;
  Visitor &V;
  std::vector<IntervalId> Open;
  Fold Folded;
};

/// Calls V.begin(IntervalId), V.end(IntervalId), V.instant(const Instant &) and
/// V.fold(const Fold &) in the order of time. Unlike with walkEvents(), every
/// begin has its end; Interval::Open tells which of them were not recorded.
template <class Visitor>
void walkExport(const Sequence &S, size_t Index, const ExportPlan &Plan,
                Visitor &&V) {
  ExportWalk<std::remove_reference_t<Visitor>> Walk(S, Index, Plan, V);
  walkEvents(S, Walk);
  Walk.finish();
}

} // namespace instantrace
