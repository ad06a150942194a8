#include "utils/analysis/live/LiveCosts.h"

#include <algorithm>
#include <cstdint>
#include <tuple>

using namespace instantrace;

namespace {

/// Times of a file that somebody made may add up to anything.
void addTo(int64_t &Sum, int64_t Ns) {
  if (__builtin_add_overflow(Sum, Ns, &Sum))
    Sum = Ns < 0 ? -INT64_MAX : INT64_MAX;
}

int64_t signedNs(uint64_t Ns) {
  return static_cast<int64_t>(std::min<uint64_t>(Ns, INT64_MAX));
}

} // namespace

void LiveCosts::close(const Sequence &S, const Interval &I, uint64_t EndNs,
                      std::vector<int64_t> &SelfNs) {
  // Ids count up with what they are about; larger ones are invented, and would
  // have us ask for all memory.
  size_t Limit =
      65536 + 4 * (S.Intervals.size() + S.Instants.size() + S.Entities.size());
  auto Add = [&](const Interval &Work, int64_t Ns) {
    EntityId Id = Work.Entity;
    if (!Id || Id.Value >= Limit || Work.Kind == EventKind::FileInclusion)
      return;
    if (Id.Value >= SelfNs.size())
      SelfNs.resize(std::max<size_t>(Id.Value + 1, SelfNs.size() * 2));
    addTo(SelfNs[Id.Value], Ns);
  };
  int64_t Ns = signedNs(std::max(EndNs, I.BeginNs) - I.BeginNs);
  Add(I, Ns);
  if (I.Parent)
    Add(S.Intervals[I.Parent.Value], -Ns);
}

void LiveCosts::update(const Sequence &S) {
  std::vector<uint32_t> StillOpen;
  auto Look = [&](uint32_t Id) {
    const Interval &I = S.Intervals[Id];
    if (I.Open)
      StillOpen.push_back(Id);
    else
      close(S, I, I.EndNs, SelfNs);
  };
  for (uint32_t Id : Open)
    Look(Id);
  for (; Seen != S.Intervals.size(); ++Seen)
    Look(Seen);
  Open = std::move(StillOpen);
  for (; ElidedSeen != S.Elided.size(); ++ElidedSeen) {
    const ElidedLeaves &Leaves = S.Elided[ElidedSeen];
    EntityId Id = S.Intervals[Leaves.Inside.Value].Entity;
    if (Id && Id.Value < SelfNs.size())
      addTo(SelfNs[Id.Value], -signedNs(Leaves.SumNs));
  }
}

uint32_t LiveCosts::rowOf(const Sequence &S, uint32_t Id) {
  if (Id >= RowOfEntity.size())
    RowOfEntity.resize(std::max<size_t>(Id + 1, RowOfEntity.size() * 2),
                       NotNamed);
  uint32_t &Row = RowOfEntity[Id];
  const Entity *E = S.entity({Id});
  if (Row != NotNamed || !E || !S.Names.contains(E->TemplateSet))
    return Row;
  if (E->Kind == EntityKind::File)
    return Row = NoRow;
  auto [Entry, IsNew] = RowByKey.try_emplace(
      S.Names.key(E->TemplateSet), static_cast<uint32_t>(RowNames.size()));
  if (IsNew)
    RowNames.push_back(E->TemplateSet);
  return Row = Entry->second;
}

std::vector<LiveCostRow>
LiveCosts::hottest(const Sequence &S, uint64_t NowNs, size_t Count,
                   const std::function<std::string(NameId, EntityId)> &TextOf) {
  std::vector<int64_t> Now = SelfNs;
  auto CloseNow = [&](uint32_t Id) {
    const Interval &I = S.Intervals[Id];
    close(S, I, I.Open ? NowNs : I.EndNs, Now);
  };
  for (uint32_t Id : Open)
    CloseNow(Id);
  for (size_t Id = Seen; Id < S.Intervals.size(); ++Id)
    CloseNow(static_cast<uint32_t>(Id));

  struct Candidate {
    int64_t SelfNs = 0;
    uint64_t Specializations = 0;
    NameId Name; // none: of Entity, which has no name yet
    EntityId Entity;
  };
  std::vector<Candidate> Candidates; // the first are those of RowNames
  std::vector<Candidate> Unnamed;
  for (uint32_t Id = 1; Id < Now.size(); ++Id) {
    uint32_t Row = Now[Id] == 0 ? NoRow : rowOf(S, Id);
    if (Row == NotNamed)
      Unnamed.push_back({Now[Id], 1, {}, {Id}});
    if (Row == NotNamed || Row == NoRow)
      continue;
    Candidates.resize(RowNames.size());
    addTo(Candidates[Row].SelfNs, Now[Id]);
    Candidates[Row].Name = RowNames[Row];
    ++Candidates[Row].Specializations;
  }
  Candidates.insert(Candidates.end(), Unnamed.begin(), Unnamed.end());
  Candidates.erase(
      std::remove_if(Candidates.begin(), Candidates.end(),
                     [](const Candidate &C) { return C.SelfNs <= 0; }),
      Candidates.end());
  Count = std::min(Count, Candidates.size());
  // Only the names that are shown become text.
  std::partial_sort(
      Candidates.begin(),
      Candidates.begin() + static_cast<std::ptrdiff_t>(Count), Candidates.end(),
      [](const Candidate &A, const Candidate &B) {
        return std::tuple(-A.SelfNs, A.Name.Value, A.Entity.Value) <
               std::tuple(-B.SelfNs, B.Name.Value, B.Entity.Value);
      });
  std::vector<LiveCostRow> Rows;
  for (size_t I = 0; I != Count; ++I) {
    const Candidate &C = Candidates[I];
    Rows.push_back({TextOf(C.Name, C.Entity), static_cast<uint64_t>(C.SelfNs),
                    C.Specializations});
  }
  return Rows;
}
