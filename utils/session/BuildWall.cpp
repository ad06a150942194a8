#include "utils/session/BuildWall.h"

#include "utils/analysis/costs/CompileTimes.h"
#include "utils/analysis/costs/CostSink.h"
#include "utils/analysis/costs/MergedCosts.h"
#include "utils/analysis/view/PathRules.h"
#include "utils/open/EachTrace.h"
#include "utils/open/TraceInputs.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

using namespace instantrace;

namespace {

/// What is kept of one compile.
struct ReadUnit {
  std::string Source, Trace;
  CompileTimes Times;
  uint64_t Process = 0; // processKey()
  bool HasTimeOfDay = false;
  std::vector<CostTable> Costs; // by WallKeys
};

/// Enough for any line of a terminal.
constexpr size_t NameBytes = 4096;
constexpr CostKey WallKeys[] = {CostKey::Template, CostKey::Header};

/// Of one file: each compile in it is a unit of its own.
class ReadFile final : public StreamedTrace {
public:
  TraceSink &events() override { return Events; }
  void finish() override {
    for (const TraceInput &File : T.Files)
      if (const TraceIssue *Issue = File.damage())
        Damage = Issue->message(File.Name);
    for (size_t I = 0; I != T.Sequences.size(); ++I) {
      const Sequence &S = T.Sequences[I];
      if (!S.Session)
        continue;
      ReadUnit &Unit = Units.emplace_back();
      Unit.Source = normalPathIn(S, S.Session->Input);
      Unit.Trace = T.Files[S.FileIndex].Name;
      Unit.Times = compileTimes(S);
      Unit.Process = processKey(*S.Session);
      Unit.HasTimeOfDay = S.Session->RealtimeNs != 0;
      Unit.Costs = std::move(Events.Compiles[I]);
    }
    T = takeNames(std::move(T));
  }

  std::vector<ReadUnit> Units;
  std::string Damage; ///< empty: none

private:
  CompileCostSink Events{T, WallKeys, *TraceFilter::make({})};
};

/// The compiles, without those of modules that ran inside another one.
struct FoundUnits {
  std::vector<WallUnit> Units;
  std::vector<std::optional<size_t>> Numbers; ///< by the order of reading
};

FoundUnits withoutInner(const std::vector<WallUnit> &All,
                        const std::vector<uint64_t> &Processes) {
  std::vector<CompileTimes> Times;
  for (const WallUnit &Unit : All)
    Times.push_back(Unit.Times);
  std::vector<bool> IsInner = innerCompiles(Times, Processes);
  FoundUnits Found;
  for (size_t I = 0; I != All.size(); ++I) {
    Found.Numbers.push_back(IsInner[I] ? std::nullopt
                                       : std::optional(Found.Units.size()));
    if (!IsInner[I])
      Found.Units.push_back(All[I]);
  }
  return Found;
}

/// What the rows of one kind take of each compile.
class UnitRows {
public:
  /// Of the next compile. \p Names has entered the names of the table.
  void add(const CostTable &Table, MergedNames &Names) {
    UnitTaken &Unit = Taken.emplace_back();
    for (const CostRow &Row : Table.Rows) {
      if (!Row.Name.Fixed.empty() || (Row.SelfNs == 0 && Row.InclusiveNs == 0))
        continue;
      auto [Entry, IsNew] =
          ByKey.try_emplace(Row.Key, static_cast<uint32_t>(Rows.size()));
      if (IsNew)
        Rows.push_back({Names.add(Row.Name), 0});
      Rows[Entry->second].InclusiveNs += Row.InclusiveNs;
      Unit.Rows.push_back(Entry->second);
      Unit.InclusiveNs.push_back(Row.InclusiveNs);
    }
    Unit.Rows.shrink_to_fit();
    Unit.InclusiveNs.shrink_to_fit();
  }

  /// Of the \p Wanted that take most, without those of these names. \p UnitOf:
  /// which of the schedule a compile is, in the order of adding.
  std::vector<WallSaving>
  savings(const Trace &Names, size_t Wanted, const BuildSchedule &Schedule,
          const std::vector<std::optional<size_t>> &UnitOf,
          const std::unordered_set<std::string> &Without = {}) const {
    std::vector<WallSaving> Savings;
    std::vector<std::vector<std::pair<size_t, uint64_t>>> TakenOf;
    std::vector<uint32_t> CandidateOf(Rows.size(), NoIndex);
    for (Candidate &C : candidates(Names, Wanted, Without)) {
      CandidateOf[C.Row] = static_cast<uint32_t>(Savings.size());
      Savings.push_back({std::move(C.Name), Rows[C.Row].InclusiveNs, 0, 0});
    }
    TakenOf.resize(Savings.size());
    for (size_t I = 0; I != Taken.size(); ++I)
      for (size_t Index = 0; UnitOf[I] && Index != Taken[I].Rows.size();
           ++Index)
        if (uint32_t Number = CandidateOf[Taken[I].Rows[Index]];
            Number != NoIndex)
          TakenOf[Number].emplace_back(*UnitOf[I], Taken[I].InclusiveNs[Index]);
    uint64_t Wall = Schedule.wallNs();
    std::vector<uint64_t> SavedNs(Schedule.compiles().size());
    for (size_t I = 0; I != Savings.size(); ++I) {
      for (const auto &[Unit, Ns] : TakenOf[I])
        SavedNs[Unit] += Ns;
      Savings[I].SavedNs = Wall - std::min(Wall, Schedule.wallIf(SavedNs));
      Savings[I].Units = TakenOf[I].size();
      for (const auto &[Unit, Ns] : TakenOf[I])
        SavedNs[Unit] = 0;
    }
    std::ranges::stable_sort(Savings, std::greater<>(), &WallSaving::SavedNs);
    return Savings;
  }

private:
  struct KeptRow {
    RowName Name;
    uint64_t InclusiveNs;
  };
  /// Two arrays, so that a row takes twelve bytes of each compile.
  struct UnitTaken {
    std::vector<uint32_t> Rows;
    std::vector<uint64_t> InclusiveNs;
  };
  struct Candidate {
    uint32_t Row;
    std::string Name;
  };

  /// Equal ones are in the order of their names, so these are made for all.
  std::vector<Candidate>
  candidates(const Trace &Names, size_t Wanted,
             const std::unordered_set<std::string> &Without) const {
    std::vector<Candidate> All;
    for (uint32_t Row = 0; Row != Rows.size(); ++Row) {
      std::string Name = Rows[Row].Name.text(Names, {}, NameBytes);
      if (!Without.contains(Name))
        All.push_back({Row, std::move(Name)});
    }
    auto End =
        All.begin() + static_cast<std::ptrdiff_t>(std::min(Wanted, All.size()));
    std::partial_sort(All.begin(), End, All.end(),
                      [this](const Candidate &A, const Candidate &B) {
                        uint64_t OfA = Rows[A.Row].InclusiveNs;
                        uint64_t OfB = Rows[B.Row].InclusiveNs;
                        return OfA != OfB ? OfA > OfB : A.Name < B.Name;
                      });
    All.erase(End, All.end());
    return All;
  }

  std::unordered_map<NameKey, uint32_t, NameKeyHash> ByKey;
  std::vector<KeptRow> Rows;
  std::vector<UnitTaken> Taken; ///< in the order of adding
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
  std::ranges::stable_sort(Savings, std::greater<>(), &WallSaving::SavedNs);
  return Savings;
}

} // namespace

Result<BuildWall>
instantrace::readBuildWall(const std::vector<std::string> &Files, size_t Tried,
                           InputObserver &Seen) {
  std::vector<WallUnit> All;
  std::vector<uint64_t> Processes;
  MergedNames Names;
  UnitRows Templates, Headers;
  std::string WithoutTime;
  INSTANTRACE_TRY(forEachStreamed(
      EachTrace{Files, Seen, /*AreFailuresTold=*/true},
      [] { return std::make_unique<ReadFile>(); },
      [&](ReadFile &File) -> Result<void> {
        if (!File.Damage.empty())
          Seen.damaged(File.Damage);
        Names.enterTrace(File.T);
        for (ReadUnit &Read : File.Units) {
          if (!Read.HasTimeOfDay)
            WithoutTime = Read.Trace;
          All.push_back({std::move(Read.Source), Read.Times});
          Processes.push_back(Read.Process);
          Templates.add(Read.Costs[0], Names);
          Headers.add(Read.Costs[1], Names);
        }
        return {};
      }));
  if (All.empty())
    return noCompile(Files.size() == 1 ? inputName(Files.front()) : "");
  if (!WithoutTime.empty())
    return makeError(
        WithoutTime, "no time of day",
        "when the compile began, as instantrace and -ftime-trace record it");
  FoundUnits Found = withoutInner(All, Processes);
  std::vector<CompileTimes> Times;
  for (const WallUnit &Unit : Found.Units)
    Times.push_back(Unit.Times);
  size_t InnerCompiles = All.size() - Found.Units.size();
  BuildWall Wall{std::move(Found.Units),
                 InnerCompiles,
                 BuildSchedule(std::move(Times)),
                 {},
                 {},
                 {}};
  // What is compiled has a row of its own among those of units.
  std::unordered_set<std::string> Sources;
  for (const WallUnit &Unit : Wall.Units)
    Sources.insert(Unit.Source);
  Wall.Templates =
      Templates.savings(Names.trace(), Tried, Wall.Schedule, Found.Numbers);
  Wall.Headers = Headers.savings(Names.trace(), Tried, Wall.Schedule,
                                 Found.Numbers, Sources);
  Wall.Sources = savingsOfUnits(Wall.Units, Wall.Schedule, Tried);
  return Wall;
}
