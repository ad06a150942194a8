/// \file
/// Which late bodies an interval asked for, as arrows between what is exported.
///
/// Flow: Sequence, ExportPlan -> [RequestFlows] -> chrome, perfetto
///
/// A requester that is not exported is stood for by the innermost interval
/// around it that is.
#pragma once

#include "utils/analysis/view/ExportPlan.h"

#include <algorithm>
#include <span>
#include <vector>

namespace instantrace {

class RequestFlows {
public:
  struct Flow {
    uint32_t From; // intervals
    uint32_t To;
  };

  RequestFlows(const Sequence &S, size_t Index, const ExportPlan &Plan) {
    for (uint32_t At = 0; At != S.Intervals.size(); ++At) {
      IntervalId From = S.Intervals[At].Requester;
      if (!From || !Plan.keeps(Index, IntervalId{At}))
        continue;
      while (From && !Plan.keeps(Index, From))
        From = S.Intervals[From.Value].Parent;
      if (From)
        Flows.push_back({From.Value, At});
    }
    std::sort(Flows.begin(), Flows.end(), [](const Flow &A, const Flow &B) {
      return A.From != B.From ? A.From < B.From : A.To < B.To;
    });
  }

  /// Requires: calls come with growing ids.
  std::span<const Flow> flowsFrom(IntervalId Id) {
    while (Next != Flows.size() && Flows[Next].From < Id.Value)
      ++Next;
    size_t End = Next;
    while (End != Flows.size() && Flows[End].From == Id.Value)
      ++End;
    return std::span<const Flow>(Flows).subspan(Next, End - Next);
  }
  /// True if an arrow ends there.
  static bool hasEnd(const Sequence &S, size_t Index, const ExportPlan &Plan,
                     IntervalId Id) {
    IntervalId From = S.Intervals[Id.Value].Requester;
    while (From && !Plan.keeps(Index, From))
      From = S.Intervals[From.Value].Parent;
    return static_cast<bool>(From);
  }

private:
  std::vector<Flow> Flows;
  size_t Next = 0;
};

} // namespace instantrace
