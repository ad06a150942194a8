#include "utils/analysis/index/PartialSequence.h"

#include "utils/analysis/view/UserFrame.h"

#include <algorithm>
#include <utility>

using namespace instantrace;
using instantrace::index::Table;

namespace {

/// In no dictionary.
constexpr NameId LostName = {UINT32_MAX};

} // namespace

bool PartialSequence::keepNamesOf(const std::vector<bool> &Entities) {
  Sequence &S = sequence();
  Unnamed = S.Entities;
  HasName.assign(Unnamed.size() + 1, false);
  for (Entity &E : S.Entities)
    E.Name = E.TemplateSet = LostName;
  for (uint32_t Id = 1; Id <= Entities.size(); ++Id)
    if (Entities[Id - 1] && !nameEntity(Id))
      return false;
  return true;
}

bool PartialSequence::nameEntity(uint32_t Id) {
  if (HasNames || Id == 0 || Id >= HasName.size() || HasName[Id])
    return true;
  HasName[Id] = true;
  Entity &E = sequence().Entities[Id - 1];
  E.Name = named(Unnamed[Id - 1].Name);
  E.TemplateSet = named(Unnamed[Id - 1].TemplateSet);
  return X->fault().empty();
}

/// The same name in the dictionary of what is there.
NameId PartialSequence::named(NameId Name) {
  if (!Name)
    return Name;
  const auto &Rows = *All->table(Compile, Table::Names);
  if (Name.Value > Rows.size() / index::columnCount(Table::Names))
    return LostName;
  auto [At, IsNew] = NameOf.try_emplace(Name.Value, 0);
  if (!IsNew)
    return {At->second};
  Dictionary &Names = sequence().Names;
  uint64_t String = All->nameAt(Compile, Name);
  NameId Id;
  if (String == IndexedTrace::NoName) {
    Names.add({}, {});
    Id = {Names.size()};
  } else {
    Id = Entries.add(String, Names);
  }
  NameOf[Name.Value] = Id.Value;
  return Id;
}

bool PartialSequence::add(uint32_t Record, InstantiationIndex::Record &Into) {
  auto [At, IsNew] = Records.try_emplace(Record);
  if (IsNew && !X->record(Record, At->second))
    return false;
  Into = At->second;
  return true;
}

bool PartialSequence::addWithWay(uint32_t Record) {
  const Sequence &S = sequence();
  const uint32_t First = All->firstRecord(Compile);
  while (Record != InstantiationIndex::None && Followed.insert(Record).second) {
    InstantiationIndex::Record R;
    if (!add(Record, R))
      return false;
    uint32_t Outer = R.instantiatedFrom();
    if (Outer != InstantiationIndex::None && Outer < First)
      return All->recordFault(Record);
    // That it was asked for by someone is said of it, who that is or not.
    InstantiationIndex::Record Requester;
    if (R.Requester != InstantiationIndex::None && !add(R.Requester, Requester))
      return false;
    if (isUserLocation(S, All->locationOf(Record, R.Location)))
      return true;
    Record = Outer;
  }
  return true;
}

bool PartialSequence::finish(IntervalTimes &Into) {
  Sequence &S = sequence();
  const uint32_t First = All->firstRecord(Compile);
  std::vector<uint32_t> Ids;
  Ids.reserve(Records.size());
  for (const auto &[Id, R] : Records)
    Ids.push_back(Id);
  std::sort(Ids.begin(), Ids.end());
  if (!Ids.empty() && !profilingTimes())
    return false;
  auto NumberOf = [&Ids](uint32_t Record) {
    auto At = std::lower_bound(Ids.begin(), Ids.end(), Record);
    return At != Ids.end() && *At == Record
               ? IntervalId{static_cast<uint32_t>(At - Ids.begin())}
               : IntervalId{};
  };
  std::vector<uint32_t> Around; // numbers of intervals
  for (uint32_t Id : Ids) {
    const InstantiationIndex::Record &R = Records[Id];
    while (!Around.empty() && Records[Ids[Around.back()]].SubtreeEnd <= Id)
      Around.pop_back();
    auto Number = static_cast<uint32_t>(S.Intervals.size());
    Interval &I = S.Intervals.emplace_back();
    I.BeginNs = R.BeginNs;
    I.EndNs = R.EndNs;
    I.AstBytes = R.OwnBytes;
    I.Entity = All->entityOf(Id, R.Entity);
    I.Location = All->locationOf(Id, R.Location);
    if (!Around.empty())
      I.Parent = {Around.back()};
    if (R.Requester != InstantiationIndex::None)
      I.Requester = NumberOf(R.Requester);
    I.Kind = static_cast<EventKind>(R.Kind);
    I.Open = R.IsOpen;
    I.Definition = R.IsDefinition;
    Around.push_back(Number);
    if (!nameEntity(I.Entity.Value))
      return false;
    Into.SelfNs.push_back(R.SelfNs);
    uint64_t LastedNs = R.EndNs - R.BeginNs;
    Into.InclusiveNs.push_back(
        I.Kind == EventKind::Profiling
            ? LastedNs
            : LastedNs - profilingWithin(Id - First, R.SubtreeEnd - First));
  }
  for (Instant &I : S.Instants)
    if (I.Parent)
      I.Parent = NumberOf(First + I.Parent.Value);
  return HasNames || namePaths();
}

/// Places in the sequence are of its own dictionary then.
bool PartialSequence::namePaths() {
  Sequence &S = sequence();
  std::vector<bool> IsUsed(S.Locations.Rows.size() + 1);
  auto Use = [&IsUsed](LocationId Id) {
    if (Id.Value < IsUsed.size())
      IsUsed[Id.Value] = true;
  };
  for (const Interval &I : S.Intervals)
    Use(I.Location);
  for (const Instant &I : S.Instants)
    Use(I.Location);
  for (uint32_t Id = 1; Id < IsUsed.size(); ++Id) {
    NameId &File = S.Locations.Rows[Id - 1].File;
    File = IsUsed[Id] ? named(File) : NameId{};
  }
  S.FirstInclusions.clear();
  for (uint32_t Id = 1; Id <= S.Inclusions.size(); ++Id) {
    NameId &Path = S.Inclusions[Id - 1].Path;
    Path = named(Path);
    S.FirstInclusions.try_emplace(Path.Value, InclusionId{Id});
  }
  return X->fault().empty();
}

bool PartialSequence::profilingTimes() {
  const std::vector<uint64_t> *Rows = All->table(Compile, Table::Profiling);
  if (!Rows)
    return false;
  std::vector<uint64_t> Sorted(*Rows);
  std::sort(Sorted.begin(), Sorted.end());
  const uint32_t First = All->firstRecord(Compile);
  uint64_t Sum = 0, Until = 0;
  ProfilingNs.push_back(0);
  for (uint64_t Number : Sorted) {
    if (Number < Until)
      continue; // inside the one before
    InstantiationIndex::Record R;
    if (!X->record(First + static_cast<uint32_t>(Number), R))
      return false;
    Until = R.SubtreeEnd - First;
    Profiling.push_back(static_cast<uint32_t>(Number));
    ProfilingNs.push_back(Sum += R.EndNs - R.BeginNs);
  }
  return true;
}

/// Behind a record, up to the end of what is inside. Numbers in the compile.
uint64_t PartialSequence::profilingWithin(uint32_t Record,
                                          uint32_t SubtreeEnd) const {
  auto At = [this](uint32_t Number) {
    return std::lower_bound(Profiling.begin(), Profiling.end(), Number) -
           Profiling.begin();
  };
  auto Begin = static_cast<size_t>(At(Record + 1));
  auto End = static_cast<size_t>(At(SubtreeEnd));
  return ProfilingNs[End] - ProfilingNs[Begin];
}
