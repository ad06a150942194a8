#include "utils/analysis/costs/HeaderSums.h"

#include "utils/analysis/view/PathRules.h"
#include "utils/analysis/view/SelfTimes.h"
#include "utils/analysis/view/UserFrame.h"

#include <algorithm>

using namespace instantrace;

namespace {

/// Of a template beside a header.
constexpr size_t TemplateBytes = 256;
constexpr uint32_t NoReading = UINT32_MAX;

} // namespace

void HeaderPartSums::add(uint64_t Unit, uint64_t Ns) {
  ++Count;
  Units += LastUnit != Unit;
  LastUnit = Unit;
  InclusiveNs += Ns;
}

void HeaderPartSums::add(const HeaderPartSums &More) {
  Count += More.Count;
  Units += More.Units;
  InclusiveNs += More.InclusiveNs;
}

HeaderSums::FileNumber HeaderSums::fileOf(std::string Normal) {
  auto [At, IsNew] =
      Numbers.try_emplace(Normal, static_cast<FileNumber>(Files.size()));
  if (IsNew) {
    File &Of = Files.emplace_back();
    Of.IsDetailed = !Detailed.empty() && isWithin(Normal, Detailed);
    Of.Path = std::move(Normal);
  }
  return At->second;
}

/// Over the intervals of one compile, outer ones first.
class HeaderSums::Walk {
public:
  Walk(HeaderSums &Into, const Sequence &S, TraceFilter &Filter)
      : Into(Into), S(S), Filter(Filter), Unit(Into.Compiles.size() + 1),
        InclusiveNs(inclusiveTimes(S)), SelfNs(selfTimes(S)),
        ReadingOf(S.Intervals.size(), NoReading),
        AskerOf(S.Intervals.size(), NoFile) {}

  void run();

private:
  struct Reading {
    FileNumber File;
    bool IsMain;
    bool IsOutermost;   ///< of those of its file
    uint64_t OutsideNs; ///< without what it includes
  };

  FileNumber fileOf(NameId Path);
  void enter(uint32_t At, uint32_t Outer, FileNumber File);
  void addInclude(uint32_t At, Reading &Outer, FileNumber File);
  void addTemplateWork(uint32_t At, uint32_t Outer);
  Compile take() const;

  HeaderSums &Into;
  const Sequence &S;
  TraceFilter &Filter;
  uint64_t Unit;
  std::vector<uint64_t> InclusiveNs, SelfNs;
  std::vector<uint32_t> ReadingOf; ///< by interval: the innermost around it
  std::vector<FileNumber> AskerOf; ///< by interval: in whose text it began
  std::vector<Reading> Readings;
  std::vector<uint32_t> Open; ///< readings, outermost first
  std::unordered_map<FileNumber, uint32_t> OpenCount;
  std::unordered_map<uint32_t, FileNumber> Known; ///< by the name of a path
  std::vector<FileNumber> Mains;
};

HeaderSums::FileNumber HeaderSums::Walk::fileOf(NameId Path) {
  auto [At, IsNew] = Known.try_emplace(Path.Value, NoFile);
  if (IsNew)
    if (std::string Normal = normalPathOf(S, Path); !Normal.empty())
      At->second = Into.fileOf(std::move(Normal));
  return At->second;
}

void HeaderSums::Walk::enter(uint32_t At, uint32_t Outer, FileNumber File) {
  while (!Open.empty() && Open.back() != Outer) {
    --OpenCount[Readings[Open.back()].File];
    Open.pop_back();
  }
  auto Number = static_cast<uint32_t>(Readings.size());
  ReadingOf[At] = Number;
  Open.push_back(Number);
  bool IsMain = Outer == NoReading || !S.location(S.Intervals[At].Location);
  bool IsOutermost = OpenCount[File]++ == 0;
  Readings.push_back({File, IsMain, IsOutermost, InclusiveNs[At]});
  if (!IsMain) {
    addInclude(At, Readings[Outer], File);
    return;
  }
  Into.ReadNs += Outer == NoReading ? InclusiveNs[At] : 0;
  if (Outer != NoReading)
    Readings[Outer].OutsideNs -=
        std::min(Readings[Outer].OutsideNs, InclusiveNs[At]);
  Mains.push_back(File);
}

void HeaderSums::Walk::addInclude(uint32_t At, Reading &Outer,
                                  FileNumber File) {
  const Interval &I = S.Intervals[At];
  uint64_t Ns = InclusiveNs[At];
  Outer.OutsideNs -= std::min(Outer.OutsideNs, Ns);
  HeaderSums::File &Of = Into.Files[File], &From = Into.Files[Outer.File];
  auto First = S.FirstInclusions.find(S.entity(I.Entity)->Name.Value);
  if (First != S.FirstInclusions.end())
    if (const Inclusion *Entered = S.inclusion(First->second))
      Of.IsSystem |= Entered->IsSystem;
  Of.IsSelected |= Filter.selects(I);
  Of.Readings.add(Unit, Ns);
  Of.InclusiveNs += Readings.back().IsOutermost ? Ns : 0;
  Of.OwnNs += SelfNs[At];
  From.IncludedNs += Outer.IsOutermost && !Outer.IsMain ? Ns : 0;
  Of.Includers[{Outer.File, S.location(I.Location)->LineNo}].add(Unit, Ns);
  From.Includes[File].add(Unit, Ns);
}

void HeaderSums::Walk::addTemplateWork(uint32_t At, uint32_t Outer) {
  const Interval &I = S.Intervals[At];
  IntervalId By = outwards(I);
  bool IsInside = By && isTemplateWork(S.Intervals[By.Value].Kind);
  if (IsInside)
    AskerOf[At] = AskerOf[By.Value];
  else if (Outer != NoReading)
    AskerOf[At] = Readings[Outer].File;
  else if (const Location *L = S.location(I.Location))
    AskerOf[At] = fileOf(L->File);
  if (AskerOf[At] == NoFile)
    return;
  HeaderSums::File &Asker = Into.Files[AskerOf[At]];
  Asker.InstantiatedNs += SelfNs[At];
  const Entity *E = S.entity(I.Entity);
  if (IsInside || !E || !Asker.IsDetailed)
    return;
  HeaderSums::Template &Of = Asker.Templates[S.Names.key(E->TemplateSet)];
  if (Of.Name.empty())
    Of.Name = S.Names.text(E->TemplateSet, TemplateBytes);
  Of.Sums.add(Unit, InclusiveNs[At]);
}

HeaderSums::Compile HeaderSums::Walk::take() const {
  std::map<FileNumber, uint64_t> NsOf;
  for (const Reading &R : Readings)
    NsOf[R.File] += R.OutsideNs;
  return {Mains, {NsOf.begin(), NsOf.end()}};
}

void HeaderSums::Walk::run() {
  for (uint32_t At = 0; At != S.Intervals.size(); ++At) {
    const Interval &I = S.Intervals[At];
    if (!I.Parent)
      Into.TotalNs += I.durationNs();
    uint32_t Outer = I.Parent ? ReadingOf[I.Parent.Value] : NoReading;
    ReadingOf[At] = Outer;
    if (isTemplateWork(I.Kind)) {
      addTemplateWork(At, Outer);
    } else if (I.Kind == EventKind::FileInclusion) {
      const Entity *E = S.entity(I.Entity);
      if (FileNumber File = E ? fileOf(E->Name) : NoFile; File != NoFile)
        enter(At, Outer, File);
    }
  }
  Into.Compiles.push_back(take());
}

void HeaderSums::add(const Trace &T, TraceFilter &Filter) {
  Filter.enterTrace(T);
  for (uint32_t Index = 0; Index != T.Sequences.size(); ++Index) {
    Filter.enterSequence(Index);
    Walk(*this, T.Sequences[Index], Filter).run();
  }
}

void HeaderSums::add(const HeaderSums &More) {
  TotalNs += More.TotalNs;
  ReadNs += More.ReadNs;
  std::vector<FileNumber> NumberOf;
  for (const File &Of : More.Files)
    NumberOf.push_back(fileOf(Of.Path));
  for (FileNumber At = 0; At != More.Files.size(); ++At) {
    const File &Of = More.Files[At];
    File &Sum = Files[NumberOf[At]];
    Sum.IsSystem |= Of.IsSystem;
    Sum.IsSelected |= Of.IsSelected;
    Sum.InclusiveNs += Of.InclusiveNs;
    Sum.OwnNs += Of.OwnNs;
    Sum.IncludedNs += Of.IncludedNs;
    Sum.InstantiatedNs += Of.InstantiatedNs;
    Sum.Readings.add(Of.Readings);
    for (const auto &[From, Part] : Of.Includers)
      Sum.Includers[{NumberOf[From.first], From.second}].add(Part);
    for (const auto &[To, Part] : Of.Includes)
      Sum.Includes[NumberOf[To]].add(Part);
    for (const auto &[Key, Part] : Of.Templates) {
      Template &Into = Sum.Templates[Key];
      if (Into.Name.empty())
        Into.Name = Part.Name;
      Into.Sums.add(Part.Sums);
    }
  }
  for (const Compile &In : More.Compiles) {
    Compile &Copy = Compiles.emplace_back(In);
    for (FileNumber &Main : Copy.Mains)
      Main = NumberOf[Main];
    for (auto &[File, Ns] : Copy.Read)
      File = NumberOf[File];
  }
}
