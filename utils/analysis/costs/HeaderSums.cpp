#include "utils/analysis/costs/HeaderSums.h"

#include "utils/analysis/view/PathRules.h"

#include <algorithm>

using namespace instantrace;

namespace {

/// Of a template beside a header.
constexpr size_t TemplateNameBytes = 256;

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
  auto [Entry, IsNew] =
      Numbers.try_emplace(Normal, static_cast<FileNumber>(Files.size()));
  if (IsNew) {
    File &F = Files.emplace_back();
    F.IsDetailed = !Detailed.empty() && isWithin(Normal, Detailed);
    F.Path = std::move(Normal);
  }
  return Entry->second;
}

void HeaderSums::add(const HeaderSums &More) {
  TotalNs += More.TotalNs;
  ReadNs += More.ReadNs;
  MainNs += More.MainNs;
  std::vector<FileNumber> NumberOf;
  for (const File &F : More.Files)
    NumberOf.push_back(fileOf(F.Path));
  for (FileNumber Current = 0; Current != More.Files.size(); ++Current) {
    const File &F = More.Files[Current];
    File &Sum = Files[NumberOf[Current]];
    Sum.IsSystem |= F.IsSystem;
    Sum.IsSelected |= F.IsSelected;
    Sum.InclusiveNs += F.InclusiveNs;
    Sum.OwnNs += F.OwnNs;
    Sum.IncludedNs += F.IncludedNs;
    Sum.InstantiatedNs += F.InstantiatedNs;
    Sum.Readings.add(F.Readings);
    for (const auto &[Place, Part] : F.Includers)
      Sum.Includers[{NumberOf[Place.first], Place.second}].add(Part);
    for (const auto &[Included, Part] : F.Includes)
      Sum.Includes[NumberOf[Included]].add(Part);
    for (const auto &[Key, Part] : F.Templates) {
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

EventSink &HeaderSink::beginSequence(uint32_t Index) {
  if (!S)
    Filter.enterTrace(T);
  Filter.enterSequence(Index);
  S = &T.Sequences[Index];
  Unit = Sums.Compiles.size() + 1;
  Requested.enter(Ahead);
  Known.clear();
  Mains.clear();
  ReadNs.clear();
  if (Other)
    Other->enterSequence(*S);
  return *this;
}

void HeaderSink::endSequence(Sequence &) {
  Sums.Compiles.push_back({Mains, {ReadNs.begin(), ReadNs.end()}});
}

HeaderSums::FileNumber HeaderSink::fileOf(NameId Path) {
  auto [Entry, IsNew] = Known.try_emplace(Path.Value, NoFile);
  if (IsNew)
    if (std::string Normal = normalPathOf(*S, Path); !Normal.empty())
      Entry->second = Sums.fileOf(std::move(Normal));
  return Entry->second;
}

void HeaderSink::begin(IntervalId Id, const Interval &I) {
  OpenInterval O;
  O.Kind = I.Kind;
  if (isTemplateWork(I.Kind))
    enterTemplateWork(O, I);
  else if (I.Kind == EventKind::FileInclusion)
    enterFile(O, I);
  if (Requested.isWanted(Id))
    Requested.keep(O);
  Times.begin();
  Open.push_back(O);
  if (Other)
    Other->begin(I);
}

void HeaderSink::enterTemplateWork(OpenInterval &O, const Interval &I) {
  const Frame *Outer = Open.empty() ? nullptr : &Open.back();
  if (I.Requester)
    Outer = Requested.find(I.Requester);
  O.IsInside = Outer && isTemplateWork(Outer->Kind);
  if (O.IsInside)
    O.Asker = Outer->Asker;
  else if (!Readings.empty())
    O.Asker = Readings.back().File;
  else if (const Location *L = S->location(I.Location))
    O.Asker = fileOf(L->File);
}

void HeaderSink::enterFile(OpenInterval &O, const Interval &I) {
  const Entity *E = S->entity(I.Entity);
  const FileNumber File = E ? fileOf(E->Name) : NoFile;
  if (File == NoFile)
    return;
  O.IsReading = true;
  bool IsMain = Readings.empty() || !S->location(I.Location);
  if (IsMain)
    Mains.push_back(File);
  Readings.push_back({File, IsMain, OpenCount[File]++ == 0});
}

void HeaderSink::end(IntervalId, const Interval &I, const ElidedLeaves &) {
  const OpenTimes::Ended Ns = Times.end(I);
  const OpenInterval O = Open.back();
  Open.pop_back();
  if (Open.empty() && I.Kind != EventKind::Profiling)
    Sums.TotalNs += Ns.InclusiveNs;
  if (O.Asker != NoFile)
    addTemplateWork(O, I, Ns);
  else if (O.IsReading)
    addReading(I, Ns);
  else if (isLineWork(I.Kind))
    addLineWork(I, Ns.SelfNs);
  if (Other)
    Other->end(I, Ns.InclusiveNs);
}

void HeaderSink::addTemplateWork(const OpenInterval &O, const Interval &I,
                                 const OpenTimes::Ended &Ns) {
  HeaderSums::File &Asker = Sums.Files[O.Asker];
  Asker.InstantiatedNs += Ns.SelfNs;
  const Entity *E = S->entity(I.Entity);
  if (O.IsInside || !E || !Asker.IsDetailed)
    return;
  HeaderSums::Template &T = Asker.Templates[S->Names.key(E->TemplateSet)];
  if (T.Name.empty())
    T.Name = S->Names.text(E->TemplateSet, TemplateNameBytes);
  T.Sums.add(Unit, Ns.InclusiveNs);
}

/// It belongs to the file that the line is in: what ends one may be done in the
/// next.
void HeaderSink::addLineWork(const Interval &I, uint64_t SelfNs) {
  const Location *L = S->location(I.Location);
  const FileNumber File = L ? fileOf(L->File) : NoFile;
  if (File == NoFile)
    return;
  if (!Readings.empty() && Readings.back().File != File)
    moveOutside(L->File, SelfNs);
  if (std::find(Mains.begin(), Mains.end(), File) == Mains.end())
    Sums.Files[File].OwnNs += SelfNs;
  else if (I.Kind == EventKind::Statement)
    Sums.MainNs += SelfNs;
}

/// What is read now took so much less, and the file \p Path, with what it was
/// read through, so much more: up to what both are read through.
void HeaderSink::moveOutside(NameId Path, uint64_t Ns) {
  struct Step {
    FileNumber File;
    uint32_t LineNo; ///< where it is included
  };
  std::vector<Step> Way;
  auto Common = Readings.rend();
  auto First = S->FirstInclusions.find(Path.Value);
  const Inclusion *In =
      First == S->FirstInclusions.end() ? nullptr : S->inclusion(First->second);
  for (; In; In = S->inclusion(In->Includer)) {
    const FileNumber File = fileOf(In->Path);
    Common = std::find_if(Readings.rbegin(), Readings.rend(),
                          [File](const Reading &R) { return R.File == File; });
    if (Common != Readings.rend() || File == NoFile)
      break;
    Way.push_back({File, In->LineNo});
  }
  if (Common == Readings.rend())
    return;
  for (auto Inner = Readings.rbegin(); Inner != Common; ++Inner)
    Inner->OutsideNs += Ns;
  if (Way.empty())
    return;
  Common->InsideNs += Ns;
  ReadNs[Way.front().File] += Ns;
  for (size_t I = 0; I != Way.size(); ++I) {
    const bool IsLast = I + 1 == Way.size();
    const FileNumber Outer = IsLast ? Common->File : Way[I + 1].File;
    HeaderSums::File &Included = Sums.Files[Way[I].File],
                     &Including = Sums.Files[Outer];
    Included.InclusiveNs += Ns;
    Included.Includers[{Outer, Way[I].LineNo}].InclusiveNs += Ns;
    Including.Includes[Way[I].File].InclusiveNs += Ns;
    if (!IsLast || (Common->IsOutermost && !Common->IsMain))
      Including.IncludedNs += Ns;
  }
}

void HeaderSink::addReading(const Interval &I, const OpenTimes::Ended &Time) {
  const Reading R = Readings.back();
  Readings.pop_back();
  const uint64_t Ns =
      Time.InclusiveNs - std::min(Time.InclusiveNs, R.OutsideNs);
  --OpenCount[R.File];
  ReadNs[R.File] += Ns - std::min(Ns, R.InsideNs);
  if (Readings.empty())
    Sums.ReadNs += Ns;
  else
    Readings.back().InsideNs += Ns;
  if (R.IsMain) {
    Sums.MainNs += Time.SelfNs;
    return;
  }
  const Reading &Outer = Readings.back();
  HeaderSums::File &F = Sums.Files[R.File], &Includer = Sums.Files[Outer.File];
  auto First = S->FirstInclusions.find(S->entity(I.Entity)->Name.Value);
  if (First != S->FirstInclusions.end())
    if (const Inclusion *Entered = S->inclusion(First->second))
      F.IsSystem |= Entered->IsSystem;
  F.IsSelected |= Filter.selects(I);
  F.Readings.add(Unit, Ns);
  F.InclusiveNs += R.IsOutermost ? Ns : 0;
  F.OwnNs += Time.SelfNs;
  Includer.IncludedNs += Outer.IsOutermost && !Outer.IsMain ? Ns : 0;
  F.Includers[{Outer.File, S->location(I.Location)->LineNo}].add(Unit, Ns);
  Includer.Includes[R.File].add(Unit, Ns);
}
