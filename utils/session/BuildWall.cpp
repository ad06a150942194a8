#include "utils/session/BuildWall.h"

#include "runtime/read/TraceReader.h"
#include "utils/analysis/costs/CostSums.h"
#include "utils/input/TraceInputs.h"
#include "utils/input/TraceParts.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

using namespace instantrace;

namespace {

using UnitUse = std::function<void(const Trace &T)>;

/// Each compile as a trace of its own, also where a file has several.
void forEachUnit(const std::vector<std::string> &Files, InputObserver &Seen,
                 bool IsFirst, const UnitUse &Use) {
  Seen.begin(2 * totalBytes(Files));
  uint64_t Done = IsFirst ? 0 : totalBytes(Files);
  for (const std::string &Path : Files) {
    std::string Name = inputName(Path);
    Seen.enter(Name);
    Seen.at(Done);
    Done += totalBytes({Path});
    Result<std::string> Bytes = readBytes(Path, IsFirst ? &Seen : nullptr);
    std::vector<CompileTrace> Compiles;
    Result<TraceDamage> Split = Bytes ? splitTrace(*Bytes, Name, Compiles)
                                      : Result<TraceDamage>(Bytes.error());
    if (IsFirst && !Split)
      Seen.damaged(Split.error().Message);
    else if (IsFirst && *Split)
      Seen.damaged(**Split);
    for (const CompileTrace &Of : Compiles) {
      Trace T;
      readTrace(Of.Bytes, Name, T);
      if (!T.Sequences.empty() && T.Sequences.front().Session)
        Use(T);
    }
  }
}

CompileTimes timesOf(const Sequence &S) {
  uint64_t EndNs = S.LastTimeNs;
  if (S.Footer)
    EndNs = std::max(EndNs, S.Footer->EndTimeNs);
  return {S.Session->RealtimeNs, S.Session->RealtimeNs + EndNs};
}

/// The compiles, without those of modules that ran inside another one.
struct FoundUnits {
  std::vector<WallUnit> Units;
  std::vector<std::optional<size_t>> Of; ///< by the order of reading
};

FoundUnits withoutInner(const std::vector<WallUnit> &All,
                        const std::vector<uint32_t> &Pids) {
  std::unordered_map<uint32_t, std::vector<size_t>> ByPid;
  for (size_t I = 0; I != All.size(); ++I)
    ByPid[Pids[I]].push_back(I);
  FoundUnits Found;
  for (size_t I = 0; I != All.size(); ++I) {
    const CompileTimes &Inner = All[I].Times;
    auto IsAround = [&](size_t J) {
      const CompileTimes &Outer = All[J].Times;
      return J != I && Outer.BeginNs < Inner.BeginNs &&
             Inner.EndNs <= Outer.EndNs;
    };
    const std::vector<size_t> &Same = ByPid[Pids[I]];
    bool IsInner = std::any_of(Same.begin(), Same.end(), IsAround);
    Found.Of.push_back(IsInner ? std::nullopt
                               : std::optional(Found.Units.size()));
    if (!IsInner)
      Found.Units.push_back(All[I]);
  }
  return Found;
}

/// Rows of one kind that may save most, and what they take of each compile.
class Candidates {
public:
  Candidates(std::vector<SumRow> Rows, size_t Wanted, size_t Units) {
    auto End = Rows.begin() +
               static_cast<std::ptrdiff_t>(std::min(Wanted, Rows.size()));
    std::partial_sort(
        Rows.begin(), End, Rows.end(), [](const SumRow &A, const SumRow &B) {
          return A.InclusiveNs != B.InclusiveNs ? A.InclusiveNs > B.InclusiveNs
                                                : A.Name < B.Name;
        });
    Rows.erase(End, Rows.end());
    for (SumRow &Row : Rows) {
      At.emplace(Row.Name, Savings.size());
      Savings.push_back({std::move(Row.Name), Row.InclusiveNs, 0, 0});
      Taken.emplace_back(Units);
    }
  }

  void add(size_t Unit, const std::vector<SumRow> &Rows) {
    for (const SumRow &Row : Rows) {
      auto Found = At.find(Row.Name);
      if (Found == At.end())
        continue;
      Taken[Found->second][Unit] += Row.InclusiveNs;
      ++Savings[Found->second].Units;
    }
  }

  std::vector<WallSaving> take(const BuildSchedule &Schedule) {
    uint64_t Wall = Schedule.wallNs();
    for (size_t I = 0; I != Savings.size(); ++I)
      Savings[I].SavedNs = Wall - std::min(Wall, Schedule.wallIf(Taken[I]));
    std::stable_sort(Savings.begin(), Savings.end(),
                     [](const WallSaving &A, const WallSaving &B) {
                       return A.SavedNs > B.SavedNs;
                     });
    return std::move(Savings);
  }

private:
  std::unordered_map<std::string, size_t> At;
  std::vector<WallSaving> Savings;
  std::vector<std::vector<uint64_t>> Taken; ///< by unit
};

std::vector<WallSaving> savingsOfUnits(const std::vector<WallUnit> &Units,
                                       const BuildSchedule &Schedule,
                                       size_t Tried) {
  std::vector<size_t> Longest(Units.size());
  std::iota(Longest.begin(), Longest.end(), size_t(0));
  std::stable_sort(Longest.begin(), Longest.end(), [&](size_t A, size_t B) {
    return Units[A].Times.durationNs() > Units[B].Times.durationNs();
  });
  Longest.resize(std::min(Longest.size(), Tried));
  uint64_t Wall = Schedule.wallNs();
  std::vector<WallSaving> Savings;
  std::vector<uint64_t> Saved(Units.size());
  for (size_t I : Longest) {
    uint64_t Ns = Units[I].Times.durationNs();
    Saved[I] = Ns;
    Savings.push_back({Units[I].Source, Ns,
                       Wall - std::min(Wall, Schedule.wallIf(Saved)), 1});
    Saved[I] = 0;
  }
  std::stable_sort(Savings.begin(), Savings.end(),
                   [](const WallSaving &A, const WallSaving &B) {
                     return A.SavedNs > B.SavedNs;
                   });
  return Savings;
}

} // namespace

Result<BuildWall>
instantrace::readBuildWall(const std::vector<std::string> &Files, size_t Tried,
                           InputObserver &Seen) {
  if (!canBeReadAgain(Files))
    return makeError({}, "an input that cannot be read twice", "files");
  std::vector<WallUnit> All;
  std::vector<uint32_t> Pids;
  CostSums Costs;
  std::string WithoutTime;
  forEachUnit(Files, Seen, true, [&](const Trace &T) {
    const Sequence &S = T.Sequences.front();
    if (S.Session->RealtimeNs == 0)
      WithoutTime = T.Files.front().Name;
    All.push_back({S.Session->Input, timesOf(S)});
    Pids.push_back(S.Session->Pid);
    Costs.add(T);
  });
  if (All.empty())
    return makeError(Files.size() == 1 ? inputName(Files.front()) : "",
                     "no compile that can be read", "a trace of instantrace");
  if (!WithoutTime.empty())
    return makeError(WithoutTime, "no time of day",
                     "when the compile began, as instantrace records it");
  FoundUnits Found = withoutInner(All, Pids);
  std::vector<CompileTimes> Times;
  for (const WallUnit &Unit : Found.Units)
    Times.push_back(Unit.Times);
  BuildWall Wall{
      std::move(Found.Units), BuildSchedule(std::move(Times)), {}, {}, {}};
  size_t Units = Wall.Units.size();
  // What is compiled has a row of its own among those of units.
  std::unordered_set<std::string> Sources;
  for (const WallUnit &Unit : Wall.Units)
    Sources.insert(Unit.Source);
  std::vector<SumRow> HeaderRows = Costs.namedRows(CostKey::Header);
  std::erase_if(HeaderRows,
                [&](const SumRow &Row) { return Sources.contains(Row.Name); });
  Candidates Templates(Costs.namedRows(CostKey::Template), Tried, Units);
  Candidates Headers(std::move(HeaderRows), Tried, Units);
  Costs = CostSums();
  size_t No = 0;
  forEachUnit(Files, Seen, false, [&](const Trace &T) {
    std::optional<size_t> Unit =
        No < Found.Of.size() ? Found.Of[No] : std::nullopt;
    ++No;
    if (!Unit)
      return;
    CostSums One;
    One.add(T);
    Templates.add(*Unit, One.namedRows(CostKey::Template));
    Headers.add(*Unit, One.namedRows(CostKey::Header));
  });
  Wall.Templates = Templates.take(Wall.Schedule);
  Wall.Headers = Headers.take(Wall.Schedule);
  Wall.Sources = savingsOfUnits(Wall.Units, Wall.Schedule, Tried);
  return Wall;
}
