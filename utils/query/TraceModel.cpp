#include "utils/query/TraceModel.h"

#include "utils/analysis/view/EventWalk.h"
#include "utils/analysis/view/SelfTimes.h"
#include "utils/render/CleanText.h"

#include <algorithm>

using namespace instantrace;

namespace {

class EventList {
public:
  explicit EventList(const Sequence &S) : S(S) {}
  void begin(IntervalId Id) {
    Events.push_back({Id.Value, Depth++, TraceEvent::Begin});
  }
  void end(IntervalId Id) {
    Events.push_back({Id.Value, --Depth, TraceEvent::End});
  }
  void instant(const Instant &I) {
    Events.push_back({static_cast<uint32_t>(&I - S.Instants.data()), Depth,
                      TraceEvent::Instant});
  }
  std::vector<TraceEvent> Events;

private:
  const Sequence &S;
  uint32_t Depth = 0;
};

} // namespace

uint64_t TraceModel::selfNs(size_t Index, uint32_t Interval) {
  std::vector<uint64_t> &SelfNs = Computed[Index].SelfNs;
  const Sequence &S = T.Sequences[Index];
  if (SelfNs.empty()) {
    SelfNs = selfTimes(S);
    for (const ElidedLeaves &Leaves : S.Elided)
      SelfNs[Leaves.Inside.Value] -=
          std::min(SelfNs[Leaves.Inside.Value], Leaves.SumNs);
  }
  return SelfNs[Interval];
}

uint64_t TraceModel::depth(size_t Index, uint32_t Interval) {
  std::vector<uint32_t> &Depth = Computed[Index].Depth;
  const Sequence &S = T.Sequences[Index];
  if (Depth.empty()) {
    Depth.resize(S.Intervals.size());
    for (size_t Offset = 0; Offset != S.Intervals.size(); ++Offset)
      if (IntervalId Parent = S.Intervals[Offset].Parent)
        Depth[Offset] = Depth[Parent.Value] + 1;
  }
  return Depth[Interval];
}

uint64_t TraceModel::memoizedHits(size_t Index, EntityId Entity) {
  std::vector<uint64_t> &Hits = Computed[Index].Hits;
  const Sequence &S = T.Sequences[Index];
  if (Hits.empty()) {
    Hits.resize(S.Entities.size() + 1);
    for (const MemoizedHits &M : S.Memoized)
      if (M.Entity.Value < Hits.size())
        Hits[M.Entity.Value] += M.Hits;
  }
  return Entity.Value < Hits.size() ? Hits[Entity.Value] : 0;
}

uint64_t TraceModel::intervalCount(size_t Index) const {
  return T.Sequences[Index].Intervals.size();
}

uint64_t TraceModel::nameCount(size_t Index) const {
  return T.Sequences[Index].Names.size();
}

bool TraceModel::hasName(size_t Index, NameId Name) const {
  return T.Sequences[Index].Names.contains(Name);
}

const std::vector<TraceEvent> &TraceModel::events(size_t Index) {
  std::optional<std::vector<TraceEvent>> &Events = Computed[Index].Events;
  if (!Events) {
    EventList List(T.Sequences[Index]);
    walkEvents(T.Sequences[Index], List);
    Events = std::move(List.Events);
  }
  return *Events;
}

std::string TraceModel::name(size_t Index, NameId Name) const {
  return boundedName(T.Sequences[Index].Names, Name, Style, NameLimitBytes);
}
