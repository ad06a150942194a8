#include "utils/analysis/costs/BuildSchedule.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>

using namespace instantrace;

BuildSchedule::BuildSchedule(std::vector<CompileTimes> Times)
    : Compiles(std::move(Times)) {
  // So that what has ended by a time has begun before it.
  for (CompileTimes &C : Compiles) {
    C.BeginNs = std::min(C.BeginNs, UINT64_MAX - 1);
    C.EndNs = std::max(C.EndNs, C.BeginNs + 1);
  }
  std::vector<size_t> ByBegin(Compiles.size()), ByEnd;
  std::iota(ByBegin.begin(), ByBegin.end(), size_t(0));
  ByEnd = ByBegin;
  std::stable_sort(ByBegin.begin(), ByBegin.end(), [this](size_t A, size_t B) {
    return Compiles[A].BeginNs < Compiles[B].BeginNs;
  });
  std::stable_sort(ByEnd.begin(), ByEnd.end(), [this](size_t A, size_t B) {
    return Compiles[A].EndNs < Compiles[B].EndNs;
  });
  size_t Ended = 0;
  std::vector<size_t> AtOnce;
  for (size_t I = 0; I != ByBegin.size(); ++I) {
    uint64_t Now = Compiles[ByBegin[I]].BeginNs;
    while (Compiles[ByEnd[Ended]].EndNs <= Now)
      ++Ended;
    Begin B{ByBegin[I], std::nullopt};
    if (Ended != 0) {
      B.After = ByEnd[Ended - 1];
      B.WaitNs = Now - Compiles[*B.After].EndNs;
    } else {
      B.WaitNs = Now - Compiles[ByBegin.front()].BeginNs;
    }
    Order.push_back(B);
    AtOnce.push_back(I + 1 - Ended);
    Most = std::max(Most, AtOnce.back());
  }
  for (size_t I = 0; I != Order.size(); ++I)
    Order[I].HadToQueue = Order[I].After && AtOnce[I] == Most;
}

uint64_t BuildSchedule::busyNs() const {
  uint64_t Sum = 0;
  for (const CompileTimes &C : Compiles)
    Sum += C.durationNs();
  return Sum;
}

uint64_t BuildSchedule::idleNs() const {
  uint64_t Idle = 0, Until = Compiles[Order.front().Compile].BeginNs;
  for (const Begin &B : Order) {
    const CompileTimes &C = Compiles[B.Compile];
    if (C.BeginNs > Until)
      Idle += C.BeginNs - Until;
    Until = std::max(Until, C.EndNs);
  }
  return Idle;
}

std::vector<size_t> BuildSchedule::criticalPath() const {
  std::vector<std::optional<size_t>> Before(Compiles.size());
  size_t Last = 0;
  for (const Begin &B : Order) {
    Before[B.Compile] = B.After;
    if (Compiles[B.Compile].EndNs >= Compiles[Last].EndNs)
      Last = B.Compile;
  }
  std::vector<size_t> Path;
  for (std::optional<size_t> Compile = Last; Compile;
       Compile = Before[*Compile])
    Path.push_back(*Compile);
  std::reverse(Path.begin(), Path.end());
  return Path;
}

uint64_t BuildSchedule::wallIf(const std::vector<uint64_t> &SavedNs,
                               const std::vector<bool> &Built) const {
  std::priority_queue<uint64_t, std::vector<uint64_t>, std::greater<>> Free;
  for (size_t I = 0; I != Most; ++I)
    Free.push(0);
  auto isBuilt = [&Built](size_t Compile) {
    return Built.empty() || Built[Compile];
  };
  std::vector<uint64_t> Ends(Compiles.size());
  std::vector<bool> IsAwaited(Compiles.size()); // it, or what it waited for
  size_t BegunCount = 0;
  uint64_t Wall = 0;
  for (const Begin &B : Order) {
    const bool IsBehind = B.After && IsAwaited[*B.After];
    if (!isBuilt(B.Compile)) {
      IsAwaited[B.Compile] = IsBehind && !B.HadToQueue;
      Ends[B.Compile] = IsBehind ? Ends[*B.After] : 0;
      continue;
    }
    IsAwaited[B.Compile] = true;
    uint64_t Place = Free.top();
    Free.pop();
    // There is a wait where there is something to wait for.
    const bool HasWait = B.HadToQueue ? BegunCount >= Most
                         : B.After    ? IsBehind
                                      : isBuilt(Order.front().Compile);
    ++BegunCount;
    uint64_t Index = HasWait ? B.WaitNs : 0;
    if (B.HadToQueue)
      Index += Place;
    else
      Index = std::max(Place, Index + (IsBehind ? Ends[*B.After] : 0));
    uint64_t Duration = Compiles[B.Compile].durationNs();
    if (!SavedNs.empty())
      Duration -= std::min(Duration, SavedNs[B.Compile]);
    Ends[B.Compile] = Index + Duration;
    Free.push(Ends[B.Compile]);
    Wall = std::max(Wall, Ends[B.Compile]);
  }
  return Wall;
}
