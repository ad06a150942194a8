#include "utils/analysis/names/NameLimit.h"

#include <algorithm>
#include <vector>

using namespace instantrace;

namespace {

/// Of an entity: the bytes of its name, and how often they are written.
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

} // namespace

uint64_t instantrace::affordableNameBytes(const Trace &T,
                                          const NameBudget &Budget) {
  uint64_t FileBytes = 0;
  for (const TraceInput &File : T.Files)
    FileBytes += File.SizeBytes;
  constexpr uint64_t Megabyte = 1 << 20;
  uint64_t MostBytes = std::max(FileBytes, Megabyte) * Budget.PerFileByte;
  std::vector<NameUse> Uses;
  for (const Sequence &S : T.Sequences)
    addUses(S, Budget.IsPerEvent, Uses);
  uint64_t Limit = Budget.UsualBytes;
  auto IsTooMuch = [&] {
    uint64_t Sum = 0;
    for (const NameUse &Use : Uses)
      Sum += std::min(Use.Bytes, Limit) * Use.Count;
    return Sum > MostBytes;
  };
  while (Limit > Budget.LeastBytes && IsTooMuch())
    Limit /= 2;
  return Limit;
}
