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
    uint32_t Requester; // intervals
    uint32_t Requested;
  };

  RequestFlows(const Sequence &S, size_t Index, const ExportPlan &Plan) {
    for (uint32_t Offset = 0; Offset != S.Intervals.size(); ++Offset) {
      IntervalId Requester = S.Intervals[Offset].Requester;
      if (!Requester || !Plan.keeps(Index, IntervalId{Offset}))
        continue;
      while (Requester && !Plan.keeps(Index, Requester))
        Requester = S.Intervals[Requester.Value].Parent;
      if (Requester)
        Flows.push_back({Requester.Value, Offset});
    }
    std::sort(Flows.begin(), Flows.end(), [](const Flow &A, const Flow &B) {
      return A.Requester != B.Requester ? A.Requester < B.Requester
                                        : A.Requested < B.Requested;
    });
  }

  /// Requires: calls come with growing ids.
  std::span<const Flow> flowsFrom(IntervalId Id) {
    while (Next != Flows.size() && Flows[Next].Requester < Id.Value)
      ++Next;
    size_t End = Next;
    while (End != Flows.size() && Flows[End].Requester == Id.Value)
      ++End;
    return std::span<const Flow>(Flows).subspan(Next, End - Next);
  }
  /// True if an arrow ends there.
  static bool hasEnd(const Sequence &S, size_t Index, const ExportPlan &Plan,
                     IntervalId Id) {
    IntervalId Requester = S.Intervals[Id.Value].Requester;
    while (Requester && !Plan.keeps(Index, Requester))
      Requester = S.Intervals[Requester.Value].Parent;
    return static_cast<bool>(Requester);
  }

private:
  std::vector<Flow> Flows;
  size_t Next = 0;
};

} // namespace instantrace
