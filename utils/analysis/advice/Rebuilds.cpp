#include "utils/analysis/advice/Rebuilds.h"

#include <algorithm>
#include <string>
#include <unordered_map>

using namespace instantrace;

Rebuilds::Rebuilds(HeaderFacts &H)
    : H(H), Makers(H.compileCount()), Place(H.compileCount()) {
  std::unordered_map<std::string, size_t> MakerOf;
  std::vector<CompileTimes> All;
  std::vector<uint64_t> Processes;
  bool HaveTimes = true;
  for (size_t Compile = 0; Compile != H.compileCount(); ++Compile) {
    const CompileRun &Run = H.run(Compile);
    if (!Run.Product.empty())
      MakerOf.try_emplace(Run.Product, Compile);
    All.push_back(Run.Times);
    Processes.push_back(Run.Process);
    HaveTimes &= Run.HasTimeOfDay;
  }
  for (size_t Compile = 0; Compile != H.compileCount(); ++Compile) {
    bool IsKnown = true;
    for (const std::string &Path : H.run(Compile).Uses)
      if (auto Maker = MakerOf.find(Path); Maker == MakerOf.end())
        IsKnown = false;
      else if (Maker->second != Compile)
        Makers[Compile].push_back(Maker->second);
    UsersOfUnknown += !IsKnown;
  }
  if (!HaveTimes)
    return;
  const std::vector<bool> IsInner = innerCompiles(All, Processes);
  std::vector<CompileTimes> Outer;
  for (size_t Compile = 0; Compile != All.size(); ++Compile)
    if (!IsInner[Compile]) {
      Place[Compile] = Outer.size();
      Outer.push_back(All[Compile]);
    }
  Schedule.emplace(std::move(Outer));
}

/// To those that use what one of them makes.
void Rebuilds::spread(CompileSet &Built) const {
  for (bool IsMore = true; IsMore;) {
    IsMore = false;
    for (size_t Compile = 0; Compile != Built.size(); ++Compile)
      if (!Built[Compile] &&
          std::any_of(Makers[Compile].begin(), Makers[Compile].end(),
                      [&Built](size_t Maker) { return Built[Maker]; }))
        IsMore = Built[Compile] = true;
  }
}

CompileSet Rebuilds::readers(const std::vector<FileNumber> &Files,
                             const std::vector<CompileChange> &Changes) const {
  CompileSet Built(H.compileCount());
  for (size_t Compile = 0; Compile != Built.size(); ++Compile)
    Built[Compile] = std::ranges::any_of(
        Files, [&](FileNumber File) { return H.isRead(Compile, File); });
  for (const CompileChange &C : Changes)
    Built[C.Compile] = std::ranges::any_of(Files, [&](FileNumber File) {
      return (H.isRead(C.Compile, File) &&
              !std::ranges::binary_search(C.Dropped, File)) ||
             std::ranges::binary_search(C.Gained, File);
    });
  spread(Built);
  return Built;
}

RebuildCost Rebuilds::cost(const CompileSet &Built,
                           const std::vector<uint64_t> &SavedNs) const {
  RebuildCost Cost;
  std::vector<bool> Placed(Schedule ? Schedule->compiles().size() : 0);
  std::vector<uint64_t> PlacedNs(Placed.size());
  for (size_t Compile = 0; Compile != Built.size(); ++Compile) {
    if (!Built[Compile])
      continue;
    const uint64_t Saved = SavedNs.empty() ? 0 : SavedNs[Compile];
    const uint64_t Ns = H.run(Compile).Ns;
    ++Cost.Units;
    Cost.Ns += Ns - std::min(Ns, Saved);
    if (Place[Compile]) {
      Placed[*Place[Compile]] = true;
      PlacedNs[*Place[Compile]] = Saved;
    }
  }
  if (Schedule && Cost.Units != 0)
    Cost.WallNs = Schedule->wallIf(PlacedNs, Placed);
  return Cost;
}

namespace {

constexpr auto NothingRemoved = [](FileNumber, FileNumber) { return false; };

FileSet reachedWithout(HeaderFacts &H, const CompileFiles &In,
                       const HeaderFacts::Removal &IsRemoved) {
  return H.reached(In, IsRemoved, {}, HeaderFacts::Ways::All);
}

} // namespace

std::vector<CompileSet>
Rebuilds::readersWithout(const std::vector<Cut> &Cuts) const {
  std::vector<CompileSet> Readers(Cuts.size(), CompileSet(H.compileCount()));
  for (size_t Compile = 0; Compile != H.compileCount(); ++Compile) {
    std::optional<CompileFiles> In;
    FileSet Before; // of some files no way is known, and none is cut
    for (size_t Index = 0; Index != Cuts.size(); ++Index) {
      if (!H.isRead(Compile, Cuts[Index].File))
        continue;
      if (!In) {
        In = H.compile(Compile);
        Before = reachedWithout(H, *In, NothingRemoved);
      }
      const auto &[IsRemoved, File] = Cuts[Index];
      Readers[Index][Compile] =
          !Before.contains(File) ||
          reachedWithout(H, *In, IsRemoved).contains(File);
    }
  }
  for (CompileSet &Built : Readers)
    spread(Built);
  return Readers;
}

std::vector<uint64_t>
Rebuilds::savedNs(const HeaderFacts::Removal &IsRemoved) const {
  std::vector<uint64_t> Saved;
  for (size_t Compile = 0; Compile != H.compileCount(); ++Compile) {
    const CompileFiles In = H.compile(Compile);
    Saved.push_back(
        HeaderFacts::nsWithout(In, reachedWithout(H, In, IsRemoved)) -
        HeaderFacts::nsWithout(In, reachedWithout(H, In, NothingRemoved)));
  }
  return Saved;
}
