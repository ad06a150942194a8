#include "utils/analysis/names/NameLimit.h"

#include <algorithm>
#include <bit>
#include <vector>

using namespace instantrace;

namespace {

/// A text: its bytes, and how often they are written.
struct NameUse {
  uint64_t Bytes = 0, Count = 0;
};

void addUses(const Sequence &S, bool IsPerEvent, std::vector<NameUse> &Uses) {
  size_t First = Uses.size();
  for (const Entity &E : S.Entities)
    Uses.push_back({S.Names.sizeBytes(E.Name), IsPerEvent ? 0u : 1u});
  if (!IsPerEvent)
    return;
  auto Add = [&](EntityId Id) {
    if (S.entity(Id))
      ++Uses[First + Id.Value - 1].Count;
  };
  for (const Interval &I : S.Intervals)
    Add(I.Entity);
  for (const Instant &I : S.Instants)
    Add(I.Entity);
}

/// A location is the paths that it has.
void addPathUses(const Sequence &S, bool HasDeclarations,
                 std::vector<NameUse> &Uses) {
  size_t EventLocations = S.Locations.Rows.size() + 1;
  std::vector<uint64_t> Counts(EventLocations +
                               S.DeclarationLocations.Rows.size() + 1);
  auto Add = [&](LocationId Id, uint64_t Times) {
    if (S.location(Id))
      Counts[Id.number() + (Id.isDeclaration() ? EventLocations : 0)] += Times;
  };
  auto AddEvent = [&](LocationId Location, EntityId About, uint64_t Times) {
    Add(Location, Times);
    if (const Entity *E = HasDeclarations ? S.entity(About) : nullptr)
      Add(E->DeclaredAt, Times);
  };
  for (const Interval &I : S.Intervals) {
    AddEvent(I.Location, I.Entity, 2);
    if (I.Requester)
      Add(S.Intervals[I.Requester.Value].Location, 1);
  }
  for (const Instant &I : S.Instants)
    AddEvent(I.Location, I.Entity, 1);
  for (uint32_t I = 0; I != Counts.size(); ++I) {
    if (Counts[I] == 0)
      continue;
    LocationId Id = I < EventLocations
                        ? LocationId{I}
                        : LocationId::declaration(uint32_t(I - EventLocations));
    auto Use = [&](NameId Path) {
      if (S.Names.contains(Path))
        Uses.push_back({S.Names.sizeBytes(Path), Counts[I]});
    };
    Use(S.location(Id)->File);
    if (const LocationDetail *D = S.detail(Id))
      for (NameId Path : {D->Macro, D->SpellingFile, D->PhysicalFile})
        Use(Path);
  }
}

template <class Budget>
uint64_t affordableBytes(const Trace &T, const Budget &Allowed,
                         const std::vector<NameUse> &Uses) {
  uint64_t FileBytes = 0;
  for (const TraceInput &File : T.Files)
    FileBytes += File.SizeBytes;
  constexpr uint64_t Megabyte = 1 << 20;
  uint64_t MostBytes = std::max(FileBytes, Megabyte) * Allowed.PerFileByte;
  uint64_t Limit = Allowed.UsualBytes;
  auto IsTooMuch = [&] {
    uint64_t Sum = 0;
    for (const NameUse &Use : Uses)
      Sum += std::min(Use.Bytes, Limit) * Use.Count;
    return Sum > MostBytes;
  };
  while (Limit > Allowed.LeastBytes && IsTooMuch())
    Limit /= 2;
  return Limit;
}

} // namespace

uint64_t instantrace::affordableNameBytes(const Trace &T,
                                          const NameBudget &Budget) {
  std::vector<NameUse> Uses;
  for (const Sequence &S : T.Sequences)
    addUses(S, Budget.IsPerEvent, Uses);
  return affordableBytes(T, Budget, Uses);
}

uint64_t instantrace::affordablePathBytes(const Trace &T,
                                          const PathBudget &Budget) {
  std::vector<NameUse> Uses;
  for (const Sequence &S : T.Sequences)
    addPathUses(S, Budget.HasDeclarations, Uses);
  return affordableBytes(T, Budget, Uses);
}

NameSizes::NameSizes(const Trace &T) {
  for (const TraceInput &File : T.Files)
    FileBytes += File.SizeBytes;
  for (const Sequence &S : T.Sequences)
    for (const Entity &E : S.Entities) {
      const uint64_t Bytes = S.Names.sizeBytes(E.Name);
      for (size_t Power = 0; Power != CutBytes.size(); ++Power)
        CutBytes[Power] += std::min(Bytes, uint64_t(1) << Power);
    }
}

void NameSizes::add(const NameSizes &More) {
  FileBytes += More.FileBytes;
  for (size_t Power = 0; Power != CutBytes.size(); ++Power)
    CutBytes[Power] += More.CutBytes[Power];
}

uint64_t NameSizes::affordableBytes(const NameBudget &Budget) const {
  const uint64_t MostBytes =
      std::max<uint64_t>(FileBytes, 1 << 20) * Budget.PerFileByte;
  auto Power = static_cast<size_t>(std::countr_zero(Budget.UsualBytes));
  while (uint64_t(1) << Power > Budget.LeastBytes &&
         CutBytes[Power] > MostBytes)
    --Power;
  return uint64_t(1) << Power;
}
