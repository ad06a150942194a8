#include "utils/analysis/costs/CompileTimes.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

using namespace instantrace;

CompileTimes instantrace::compileTimes(const Sequence &S) {
  constexpr uint64_t MostNs = UINT64_MAX / 4;
  uint64_t EndNs = S.lastWallNs();
  if (S.Footer)
    EndNs = std::max(EndNs, S.Footer->EndTimeNs);
  uint64_t BeginNs = std::min(S.Session->RealtimeNs, MostNs);
  return {BeginNs, BeginNs + std::min(EndNs, MostNs)};
}

uint64_t instantrace::processKey(const TraceSession &Session) {
  std::string Text = std::to_string(Session.Pid);
  // None of them has a NUL.
  Text.append(1, '\0').append(Session.WorkingDirectory);
  for (const std::string &Argument : Session.Argv)
    Text.append(1, '\0').append(Argument);
  // Of -ftime-trace, which says none of it. What began together is not around
  // each other.
  if (Session.Argv.empty())
    Text.append(1, '\0').append(std::to_string(Session.RealtimeNs));
  return Dictionary::keyOf(Text).Hash;
}

std::vector<bool>
instantrace::innerCompiles(const std::vector<CompileTimes> &Times,
                           const std::vector<uint64_t> &Processes) {
  std::vector<size_t> Order(Times.size());
  std::iota(Order.begin(), Order.end(), size_t(0));
  std::stable_sort(Order.begin(), Order.end(), [&](size_t A, size_t B) {
    return std::pair(Processes[A], Times[A].BeginNs) <
           std::pair(Processes[B], Times[B].BeginNs);
  });
  // Of a process in the order of begins, so what is around one is before it.
  std::vector<bool> IsInner(Times.size());
  uint64_t BeforeEndNs = 0, LastBeginNs = 0, LastEndNs = 0;
  for (size_t I = 0; I != Order.size(); ++I) {
    const CompileTimes &Inner = Times[Order[I]];
    bool IsFirst = I == 0 || Processes[Order[I - 1]] != Processes[Order[I]];
    if (IsFirst)
      BeforeEndNs = LastEndNs = 0;
    else if (Inner.BeginNs != LastBeginNs)
      BeforeEndNs = LastEndNs; // of those that began earlier
    IsInner[Order[I]] = Inner.EndNs <= BeforeEndNs;
    LastBeginNs = Inner.BeginNs;
    LastEndNs = std::max(LastEndNs, Inner.EndNs);
  }
  return IsInner;
}
