#include "utils/report/ReportTimeline.h"

#include "utils/analysis/costs/CompileTimes.h"
#include "utils/export/ExportFrames.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

using namespace instantrace;

namespace {

/// More are not seen apart.
constexpr size_t PartsOfTime = 200;

/// What runs by itself.
struct OuterCompiles {
  std::vector<const Sequence *> Sequences;
  std::vector<CompileTimes> Times; // since the first began
};

OuterCompiles outerCompiles(const Trace &T) {
  OuterCompiles All;
  std::vector<uint64_t> Processes;
  for (const Sequence &S : T.Sequences) {
    if (!S.Session || S.Session->RealtimeNs == 0)
      return {};
    All.Sequences.push_back(&S);
    All.Times.push_back(compileTimes(S));
    Processes.push_back(processKey(*S.Session));
  }
  std::vector<bool> IsInner = innerCompiles(All.Times, Processes);
  OuterCompiles Outer;
  uint64_t FirstNs = UINT64_MAX;
  for (size_t I = 0; I != All.Sequences.size(); ++I) {
    if (IsInner[I])
      continue;
    Outer.Sequences.push_back(All.Sequences[I]);
    Outer.Times.push_back(All.Times[I]);
    FirstNs = std::min(FirstNs, All.Times[I].BeginNs);
  }
  for (CompileTimes &Each : Outer.Times)
    Each = {Each.BeginNs - FirstNs, Each.EndNs - FirstNs};
  return Outer;
}

std::vector<size_t> byBegin(const std::vector<CompileTimes> &Times) {
  std::vector<size_t> Order(Times.size());
  std::iota(Order.begin(), Order.end(), size_t(0));
  std::stable_sort(Order.begin(), Order.end(), [&](size_t A, size_t B) {
    return Times[A].BeginNs < Times[B].BeginNs;
  });
  return Order;
}

/// Each in the first lane that is free when it begins.
std::vector<uint32_t> lanesOf(const std::vector<CompileTimes> &Times,
                              const std::vector<size_t> &Order) {
  using EndAndLane = std::pair<uint64_t, uint32_t>;
  std::priority_queue<EndAndLane, std::vector<EndAndLane>, std::greater<>>
      Running;
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> Free;
  std::vector<uint32_t> Lanes(Times.size());
  uint32_t Count = 0;
  for (size_t I : Order) {
    for (; !Running.empty() && Running.top().first <= Times[I].BeginNs;
         Running.pop())
      Free.push(Running.top().second);
    if (Free.empty())
      Free.push(Count++);
    Lanes[I] = Free.top();
    Free.pop();
    Running.emplace(Times[I].EndNs, Lanes[I]);
  }
  return Lanes;
}

/// Where a part of the time begins, without a product that may be too large.
uint64_t beginOfPart(size_t Part, uint64_t WallNs) {
  return WallNs / PartsOfTime * Part +
         WallNs % PartsOfTime * Part / PartsOfTime;
}

std::vector<uint64_t> busyOfParts(const std::vector<CompileTimes> &Times,
                                  uint64_t WallNs) {
  std::vector<std::pair<uint64_t, int>> Changes; // of how many run
  for (const CompileTimes &Each : Times) {
    Changes.emplace_back(Each.BeginNs, 1);
    Changes.emplace_back(Each.EndNs, -1);
  }
  std::sort(Changes.begin(), Changes.end());
  std::vector<uint64_t> Busy(PartsOfTime);
  size_t Part = 0;
  uint64_t Now = 0, Running = 0;
  auto Until = [&](uint64_t ThenNs) {
    while (Now < ThenNs && Part != PartsOfTime) {
      uint64_t EndNs = std::min(beginOfPart(Part + 1, WallNs), ThenNs);
      Busy[Part] += Running * (EndNs - Now);
      Now = EndNs;
      Part += Now == beginOfPart(Part + 1, WallNs);
    }
  };
  for (auto [AtNs, Change] : Changes) {
    Until(AtNs);
    Running += static_cast<uint64_t>(Change);
  }
  return Busy;
}

/// The path's, then the longest; by index of those that are kept.
std::vector<bool> keptOf(const std::vector<CompileTimes> &Times,
                         const std::vector<bool> &IsCritical, size_t Most) {
  std::vector<size_t> Order(Times.size());
  std::iota(Order.begin(), Order.end(), size_t(0));
  std::stable_sort(Order.begin(), Order.end(), [&](size_t A, size_t B) {
    if (IsCritical[A] != IsCritical[B])
      return static_cast<bool>(IsCritical[A]);
    return Times[A].durationNs() > Times[B].durationNs();
  });
  std::vector<bool> Keeps(Times.size());
  for (size_t I = 0; I != std::min(Most, Order.size()); ++I)
    Keeps[Order[I]] = true;
  return Keeps;
}

} // namespace

ReportTimeline instantrace::reportTimeline(const Trace &T,
                                           const std::vector<uint64_t> &CodeNs,
                                           size_t MostUnits,
                                           ReportTexts &Texts) {
  ReportTimeline Line;
  OuterCompiles All = outerCompiles(T);
  if (All.Sequences.empty())
    return Line;
  const BuildSchedule Schedule(All.Times);
  const std::vector<CompileTimes> &Times = Schedule.compiles();
  Line.HasTimes = true;
  Line.WallNs = Schedule.wallNs();
  Line.BusyNs = Schedule.busyNs();
  Line.IdleNs = Schedule.idleNs();
  Line.MostAtOnce = Schedule.mostAtOnce();
  Line.BusyOfPart = busyOfParts(Times, Line.WallNs);
  std::vector<size_t> Path = Schedule.criticalPath();
  Line.CriticalUnits = Path.size();
  std::vector<bool> IsCritical(Times.size());
  std::vector<uint64_t> WaitNs(Times.size());
  for (size_t I = 0; I != Path.size(); ++I) {
    IsCritical[Path[I]] = true;
    if (I != 0)
      WaitNs[Path[I]] = Times[Path[I]].BeginNs - Times[Path[I - 1]].EndNs;
  }
  std::vector<size_t> Order = byBegin(Times);
  std::vector<uint32_t> Lanes = lanesOf(Times, Order);
  std::vector<bool> Keeps = keptOf(Times, IsCritical, MostUnits);
  for (size_t I : Order) {
    if (!Keeps[I]) {
      ++Line.OtherUnits;
      Line.OtherNs += Times[I].durationNs();
      continue;
    }
    Line.Units.push_back(
        {Texts.index(inputText(T, *All.Sequences[I])), Times[I].BeginNs,
         Times[I].EndNs, Lanes[I], IsCritical[I], WaitNs[I],
         CodeNs[static_cast<size_t>(All.Sequences[I] - T.Sequences.data())]});
  }
  return Line;
}
