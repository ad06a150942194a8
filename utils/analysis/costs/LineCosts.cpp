#include "utils/analysis/costs/LineCosts.h"

#include "utils/analysis/view/FunctionHomes.h"
#include "utils/analysis/view/PathRules.h"
#include "utils/analysis/view/SelfTimes.h"
#include "utils/analysis/view/UserFrame.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>

using namespace instantrace;

namespace {

bool isMeant(const std::string &Path, const std::string &Wanted) {
  return Path == Wanted ||
         (Path.size() > Wanted.size() && Path.ends_with("/" + Wanted));
}

/// How many of the last parts of two paths are the same.
size_t commonParts(std::string_view A, std::string_view B) {
  size_t Count = 0;
  while (!A.empty() && !B.empty()) {
    size_t EndA = A.rfind('/'), EndB = B.rfind('/');
    std::string_view LastA = A.substr(EndA == A.npos ? 0 : EndA + 1);
    if (LastA.empty() || LastA != B.substr(EndB == B.npos ? 0 : EndB + 1))
      break;
    ++Count;
    A = A.substr(0, EndA == A.npos ? 0 : EndA);
    B = B.substr(0, EndB == B.npos ? 0 : EndB);
  }
  return Count;
}

/// Of a trace that was made in another checkout: those that end like \p Wanted
/// for most parts.
std::set<std::string> likePaths(const std::set<std::string> &All,
                                const std::string &Wanted) {
  std::set<std::string> Paths;
  size_t Most = 1;
  for (const std::string &Path : All) {
    size_t Common = commonParts(Path, Wanted);
    if (Common > Most)
      Paths.clear();
    Most = std::max(Most, Common);
    if (Common == Most)
      Paths.insert(Path);
  }
  return Paths;
}

/// Every file that a location of the trace is in and that is meant, once.
std::set<std::string> meantPaths(const Trace &T, const std::string &Wanted,
                                 bool &AreAlike) {
  std::set<std::string> All, Paths;
  for (const Sequence &S : T.Sequences) {
    std::set<uint32_t> Files;
    for (const LocationTable *Table : {&S.Locations, &S.DeclarationLocations})
      if (Table == &S.Locations || !S.Functions.empty())
        for (const Location &L : Table->Rows)
          Files.insert(L.File.Value);
    for (const LocationDetail &D : S.Locations.Details)
      Files.insert(D.PhysicalFile.Value);
    for (uint32_t File : Files) {
      std::string Path = normalPathOf(S, NameId{File});
      if (!Path.empty() && isMeant(Path, Wanted))
        Paths.insert(Path);
      All.insert(std::move(Path));
    }
  }
  // What is spelled so exactly is meant, whatever else ends so.
  if (Paths.contains(Wanted))
    return {Wanted};
  AreAlike = Paths.empty() && Wanted.starts_with('/');
  return AreAlike ? likePaths(All, Wanted) : Paths;
}

class SequenceLines {
public:
  SequenceLines(const Sequence &S, const std::string &Path,
                const std::vector<LineRange> &Places, FileCosts &Costs)
      : S(S), Places(Places), Costs(Costs),
        LineOf(S.Locations.Rows.size() + 1) {
    std::unordered_map<uint32_t, bool> Known;
    auto IsFile = [&](NameId File) {
      auto [At, IsNew] = Known.try_emplace(File.Value, false);
      if (IsNew && File)
        At->second = normalPathOf(S, File) == Path;
      return At->second;
    };
    for (uint32_t Id = 1; Id < LineOf.size(); ++Id) {
      const Location &L = S.Locations.Rows[Id - 1];
      if (IsFile(L.File))
        LineOf[Id] = placeOf(L.LineNo);
    }
    for (const LocationDetail &D : S.Locations.Details)
      if (D.Number < LineOf.size() && LineOf[D.Number] == 0 &&
          IsFile(D.PhysicalFile))
        LineOf[D.Number] = placeOf(D.PhysicalLineNo);
    for (uint32_t Line : LineOf)
      HasFile |= Line != 0;
    if (S.Functions.empty())
      return;
    DeclaredOf.resize(S.DeclarationLocations.Rows.size() + 1);
    for (uint32_t Number = 1; Number < DeclaredOf.size(); ++Number) {
      const Location &L = S.DeclarationLocations.Rows[Number - 1];
      if (IsFile(L.File))
        DeclaredOf[Number] = placeOf(L.LineNo);
      HasFile |= DeclaredOf[Number] != 0;
    }
  }

  bool hasFile() const { return HasFile; }

  void add(TraceFilter &Filter) {
    std::vector<uint64_t> SelfNs = selfTimes(S);
    std::vector<uint64_t> InclusiveNs = inclusiveTimes(S);
    std::vector<LocationId> Frames = userFrames(S);
    std::unordered_map<uint32_t, uint32_t> Open; // by line
    uint32_t OpenLines = 0;
    std::vector<uint32_t> Counted(S.Intervals.size()); // line, if selected
    IntervalId Innermost;
    auto CloseTo = [&](IntervalId Parent, uint32_t Index) {
      for (; !(Innermost == Parent);
           Innermost = S.Intervals[Innermost.Value].Parent)
        if (uint32_t Line = Counted[Innermost.Value]) {
          if (--Open[Line] == 0)
            Costs.Lines[Line].InclusiveCount += Index - Innermost.Value;
          if (--OpenLines == 0)
            Costs.Total.InclusiveCount += Index - Innermost.Value;
        }
    };
    for (uint32_t Index = 0; Index != S.Intervals.size(); ++Index) {
      const Interval &I = S.Intervals[Index];
      CloseTo(I.Parent, Index);
      Innermost.Value = Index;
      if (isFunctionWork(I)) {
        BackendCost Cost;
        Cost.addTime(I.Kind, SelfNs[Index]);
        if (Filter.selects(Homes.atHome(I)))
          addFunction(I.Entity, Cost);
        continue;
      }
      if (!Filter.selects(I))
        continue;
      // Nobody's code causes our own work.
      if (uint32_t Line =
              I.Kind == EventKind::Profiling ? 0 : lineOf(Frames[Index])) {
        Costs.Lines[Line].CausedNs += SelfNs[Index];
        Costs.Total.CausedNs += SelfNs[Index];
      }
      uint32_t Line = lineOf(I.Location);
      if (Line == 0)
        continue;
      Counted[Index] = Line;
      bool IsOutermost = Open[Line]++ == 0;
      bool IsOutermostOfAll = OpenLines++ == 0;
      LineCost &Cost = Costs.Lines[Line];
      Cost.InclusiveNs += IsOutermost ? InclusiveNs[Index] : 0;
      Costs.Total.InclusiveNs += IsOutermostOfAll ? InclusiveNs[Index] : 0;
      for (LineCost *Sum : {&Cost, &Costs.Total}) {
        Sum->SelfNs += SelfNs[Index];
        Sum->Memoized += I.memoized();
        ++Sum->Count;
      }
    }
    CloseTo({}, uint32_t(S.Intervals.size()));
  }

  void addFunctions(TraceFilter &Filter) {
    for (const Function &F : S.Functions)
      if (Filter.selectsFunction(F.Entity, Homes.placeOf(F.Entity)))
        addFunction(F.Entity, costOf(S, F));
  }

private:
  /// The number that a line has its cost under; 0: none.
  uint32_t placeOf(uint32_t Line) const {
    if (Places.empty())
      return Line;
    auto After = std::upper_bound(
        Places.begin(), Places.end(), Line,
        [](uint32_t Wanted, const LineRange &R) { return Wanted < R.First; });
    if (After == Places.begin() || Line - After[-1].First >= After[-1].Count)
      return 0;
    return After[-1].First;
  }

  uint32_t lineOf(LocationId Id) const {
    if (Id.isDeclaration())
      return Id.number() < DeclaredOf.size() ? DeclaredOf[Id.number()] : 0;
    return Id.Value < LineOf.size() ? LineOf[Id.Value] : 0;
  }

  void addFunction(EntityId Id, const BackendCost &Cost) {
    Costs.HasBackend = true;
    if (uint32_t Line = lineOf(Homes.placeOf(Id))) {
      Costs.Lines[Line].Requested += Cost;
      Costs.Total.Requested += Cost;
    }
    const Entity *E = S.entity(Id);
    if (uint32_t Line = E ? lineOf(E->DeclaredAt) : 0) {
      Costs.Lines[Line].Own += Cost;
      Costs.Total.Own += Cost;
    }
  }

  const Sequence &S;
  const std::vector<LineRange> &Places;
  FileCosts &Costs;
  std::vector<uint32_t> LineOf;     // by location; 0: another file
  std::vector<uint32_t> DeclaredOf; // by number of a declaration location
  FunctionHomes Homes{S};
  bool HasFile = false;
};

} // namespace

FileCosts instantrace::lineCosts(const Trace &T, const std::string &Wanted,
                                 TraceFilter &Filter,
                                 const std::vector<LineRange> &Places) {
  FileCosts Costs;
  std::set<std::string> Paths =
      meantPaths(T, normalPath(Wanted), Costs.AreAlike);
  Costs.Paths.assign(Paths.begin(), Paths.end());
  if (Paths.size() != 1)
    return Costs;
  Filter.enterTrace(T);
  for (uint32_t Index = 0; Index != T.Sequences.size(); ++Index) {
    const Sequence &S = T.Sequences[Index];
    for (const Interval &I : S.Intervals)
      Costs.TotalNs += I.Parent ? 0 : I.durationNs();
    SequenceLines Lines(S, Costs.Paths.front(), Places, Costs);
    if (!Lines.hasFile())
      continue;
    if (Costs.WorkingDirectory.empty() && S.Session)
      Costs.WorkingDirectory = S.Session->WorkingDirectory;
    Filter.enterSequence(Index);
    Lines.add(Filter);
    Lines.addFunctions(Filter);
  }
  return Costs;
}
