#include "utils/analysis/costs/LineCosts.h"

#include "utils/analysis/costs/CompileMatch.h"
#include "utils/analysis/view/PathRules.h"

#include <algorithm>
#include <string_view>

using namespace instantrace;

namespace {

PathMatch matchOf(const std::string &Path, const WantedFile &Wanted,
                  const std::string &BuildFolder) {
  if (Path.empty())
    return PathMatch::None;
  if (!Wanted.Preferred.empty() &&
      lastComponent(Path) == lastComponent(Wanted.Preferred) &&
      pathFrom(BuildFolder, Path) == Wanted.Preferred)
    return PathMatch::Preferred;
  if (Path == Wanted.Path)
    return PathMatch::Exact;
  if (Path.ends_with("/" + Wanted.Path))
    return PathMatch::Ends;
  // A trace may have been made in another checkout.
  return Wanted.Path.starts_with('/')
             ? PathMatch{commonParts(Path, Wanted.Path)}
             : PathMatch::None;
}

/// The number that a line has its cost under; 0: none.
uint32_t placeOf(const std::vector<LineRange> &Places, uint32_t Line) {
  if (Places.empty())
    return Line;
  auto After = std::upper_bound(
      Places.begin(), Places.end(), Line,
      [](uint32_t Wanted, const LineRange &R) { return Wanted < R.First; });
  if (After == Places.begin() || Line - After[-1].First >= After[-1].Count)
    return 0;
  return After[-1].First;
}

using NormalPaths = std::unordered_map<uint32_t, std::string>; // by name

/// Paths of every file that a location is in.
NormalPaths normalPaths(const Sequence &S) {
  NormalPaths Normals;
  auto Add = [&](NameId File) {
    if (auto [Entry, IsNew] = Normals.try_emplace(File.Value); IsNew)
      Entry->second = normalPathOf(S, File);
  };
  for (const LocationTable *Table : {&S.Locations, &S.DeclarationLocations})
    if (Table == &S.Locations || !S.Functions.empty())
      for (const Location &L : Table->Rows)
        Add(L.File);
  for (const LocationDetail &D : S.Locations.Details)
    Add(D.PhysicalFile);
  return Normals;
}

} // namespace

LineCost &LineCost::operator+=(const LineCost &More) {
  CausedNs += More.CausedNs;
  InclusiveNs += More.InclusiveNs;
  InclusiveCount += More.InclusiveCount;
  SelfNs += More.SelfNs;
  Count += More.Count;
  Memoized += More.Memoized;
  Requested += More.Requested;
  Own += More.Own;
  return *this;
}

void FileCosts::add(const FileCosts &More) {
  TotalNs += More.TotalNs;
  if (More.Match < Match)
    return;
  if (More.Match > Match) {
    uint64_t AllNs = TotalNs;
    *this = More;
    TotalNs = AllNs;
    return;
  }
  for (const std::string &Path : More.Paths)
    if (auto It = std::lower_bound(Paths.begin(), Paths.end(), Path);
        It == Paths.end() || *It != Path)
      Paths.insert(It, Path);
  if (Paths.size() != 1) {
    Lines.clear();
    return;
  }
  if (WorkingDirectory.empty())
    WorkingDirectory = More.WorkingDirectory;
  for (const auto &[Line, Cost] : More.Lines)
    Lines[Line] += Cost;
  Total += More.Total;
  HasBackend |= More.HasBackend;
}

LineSink::LineSink(const Trace &T, const std::vector<WantedFile> &Files,
                   const TraceFilter &Filter)
    : T(T), Wanted(Files), Filter(Filter) {
  for (WantedFile &File : Wanted)
    File.Path = normalPath(File.Path);
}

uint32_t LineSink::Target::lineOf(LocationId Id) const {
  const std::vector<uint32_t> &Lines = Id.isDeclaration() ? DeclaredOf : LineOf;
  return Id.number() < Lines.size() ? Lines[Id.number()] : 0;
}

EventSink &LineSink::beginSequence(uint32_t Index) {
  if (!S)
    Filter.enterTrace(T);
  Filter.enterSequence(Index);
  S = &T.Sequences[Index];
  Compiles.emplace_back(Wanted.size());
  findTargets();
  TotalNs = 0;
  BeginCount = 0;
  Frames.enterSequence(*S, Ahead);
  Homes = FunctionHomes(*S, Ahead.Functions);
  return *this;
}

void LineSink::findTargets() {
  Targets.clear();
  const NormalPaths Normals = normalPaths(*S);
  for (size_t I = 0; I != Wanted.size(); ++I) {
    FileCosts &Costs = Compiles.back()[I];
    std::vector<NameId> Spelled; // several may be one path
    for (const auto &[Name, Path] : Normals) {
      PathMatch Match = matchOf(Path, Wanted[I], S->BuildFolder);
      if (Match == PathMatch::None || Match < Costs.Match)
        continue;
      if (Match > Costs.Match) {
        Costs.Paths.clear();
        Spelled.clear();
      }
      Costs.Match = Match;
      Costs.Paths.push_back(Path);
      Spelled.push_back({Name});
    }
    std::sort(Costs.Paths.begin(), Costs.Paths.end());
    Costs.Paths.erase(std::unique(Costs.Paths.begin(), Costs.Paths.end()),
                      Costs.Paths.end());
    if (Costs.Paths.size() == 1)
      addTarget(Wanted[I].Places, Spelled, Costs);
  }
}

void LineSink::addTarget(const std::vector<LineRange> &Places,
                         const std::vector<NameId> &Spelled, FileCosts &Costs) {
  auto IsFile = [&Spelled](NameId File) {
    return std::find(Spelled.begin(), Spelled.end(), File) != Spelled.end();
  };
  Target T{Costs, {}, {}, {}};
  T.LineOf.resize(S->Locations.Rows.size() + 1);
  for (uint32_t Id = 1; Id < T.LineOf.size(); ++Id)
    if (const Location &L = S->Locations.Rows[Id - 1]; IsFile(L.File))
      T.LineOf[Id] = placeOf(Places, L.LineNo);
  for (const LocationDetail &D : S->Locations.Details)
    if (D.Number < T.LineOf.size() && T.LineOf[D.Number] == 0 &&
        IsFile(D.PhysicalFile))
      T.LineOf[D.Number] = placeOf(Places, D.PhysicalLineNo);
  if (!S->Functions.empty())
    T.DeclaredOf.resize(S->DeclarationLocations.Rows.size() + 1);
  for (uint32_t Number = 1; Number < T.DeclaredOf.size(); ++Number)
    if (const Location &L = S->DeclarationLocations.Rows[Number - 1];
        IsFile(L.File))
      T.DeclaredOf[Number] = placeOf(Places, L.LineNo);
  auto IsLine = [](uint32_t Line) { return Line != 0; };
  if (std::none_of(T.LineOf.begin(), T.LineOf.end(), IsLine) &&
      std::none_of(T.DeclaredOf.begin(), T.DeclaredOf.end(), IsLine))
    return;
  Costs.WorkingDirectory = S->BuildFolder;
  Targets.push_back(std::move(T));
}

void LineSink::begin(IntervalId Id, const Interval &I) {
  const uint32_t BegunBefore = BeginCount;
  // How many of a line there are is another in each run; ours asks nobody for.
  BeginCount += !isLineWork(I.Kind) && I.Kind != EventKind::Profiling;
  Times.begin();
  if (Targets.empty())
    return;
  Frames.begin(Id, I);
  Homes.begin(Id, I);
  bool IsWanted = !isFunctionWork(I);
  if (IsWanted && !Filter.selectsAll()) {
    Interval Long = I;
    Long.EndNs = UINT64_MAX; // how long it is, is known at its end
    IsWanted = Filter.selects(Long);
  }
  Open.push_back({BegunBefore, IsWanted});
  if (!IsWanted)
    return;
  for (Target &T : Targets)
    if (uint32_t Line = T.lineOf(I.Location)) {
      ++T.Open[Line];
      ++T.OpenLines;
    }
}

void LineSink::end(IntervalId Id, const Interval &I, const ElidedLeaves &) {
  const OpenTimes::Ended Ns = Times.end(I);
  if (!I.Parent && I.Kind != EventKind::Profiling)
    TotalNs += Ns.InclusiveNs;
  if (Targets.empty())
    return;
  const LocationId Frame = Frames.end();
  const OpenInterval O = Open.back();
  Open.pop_back();
  Homes.end(Id, I);
  if (isFunctionWork(I)) {
    BackendCost Cost;
    Cost.addTime(I.Kind, Ns.SelfNs);
    if (Filter.selects(Homes.atHome(I)))
      addFunction(I.Entity, Cost);
    return;
  }
  if (!O.IsCounted)
    return;
  // What is too short is inside nothing of its line that is not, so who is
  // outermost does not depend on it.
  const bool IsSelected = !Filter.needsDurations() || Filter.selects(I);
  for (Target &T : Targets) {
    FileCosts &Costs = T.Costs;
    // Nobody's code causes our own work.
    uint32_t Line = I.Kind == EventKind::Profiling ? 0 : T.lineOf(Frame);
    if (Line != 0 && IsSelected) {
      Costs.Lines[Line].CausedNs += Ns.SelfNs;
      Costs.Total.CausedNs += Ns.SelfNs;
    }
    Line = T.lineOf(I.Location);
    if (Line == 0)
      continue;
    const bool IsOutermost = --T.Open[Line] == 0;
    const bool IsOutermostOfAll = --T.OpenLines == 0;
    if (!IsSelected)
      continue;
    auto Add = [&](LineCost &Sum, bool IsOuter) {
      Sum.InclusiveNs += IsOuter ? Ns.InclusiveNs : 0;
      Sum.InclusiveCount += IsOuter ? BeginCount - O.BegunBefore : 0;
      Sum.SelfNs += Ns.SelfNs;
      Sum.Memoized += I.memoized();
      Sum.Count += !isLineWork(I.Kind);
    };
    Add(Costs.Lines[Line], IsOutermost);
    Add(Costs.Total, IsOutermostOfAll);
  }
}

void LineSink::addFunction(EntityId Id, const BackendCost &Cost) {
  const Entity *E = S->entity(Id);
  for (Target &T : Targets) {
    FileCosts &Costs = T.Costs;
    Costs.HasBackend = true;
    if (uint32_t Line = T.lineOf(Homes.placeOf(Id))) {
      Costs.Lines[Line].Requested += Cost;
      Costs.Total.Requested += Cost;
    }
    if (uint32_t Line = E ? T.lineOf(E->DeclaredAt) : 0) {
      Costs.Lines[Line].Own += Cost;
      Costs.Total.Own += Cost;
    }
  }
}

void LineSink::endSequence(Sequence &) {
  for (FileCosts &Costs : Compiles.back())
    Costs.TotalNs = TotalNs;
  if (Targets.empty())
    return;
  for (const Function &F : S->Functions)
    if (Filter.selectsFunction(F.Entity, Homes.placeOf(F.Entity)))
      addFunction(F.Entity, costOf(*S, F));
}
