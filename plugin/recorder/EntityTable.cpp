#include "plugin/recorder/EntityTable.h"

namespace instantrace {

void EntityTable::replaceRecent(RecentSlot &Recent, const void *Key) {
  if (Recent.Hits != 0)
    Hits[Recent.Place] += Recent.Hits;
  Recent = {Key, lookUp(Key), 0};
}

EntityTable::Slot EntityTable::lookUp(const void *Key) {
  auto [It, IsNew] =
      SlotByKey.try_emplace(Key, static_cast<Slot>(Entities.size()));
  if (IsNew) {
    Entities.emplace_back();
    Entities.back().Key = Key;
    Hits.push_back(0);
  }
  return It->second;
}

void EntityTable::settleHits() {
  for (RecentSlot &Recent : RecentSlots)
    if (Recent.Hits != 0)
      replaceRecent(Recent, Recent.Key);
}

void EntityTable::giveRemainingIds() {
  settleHits();
  for (Slot Place = 0; Place != Entities.size(); ++Place)
    if (Entities[Place].Id == 0 && Hits[Place] != 0)
      addId(Place);
}

std::vector<MemoizedRow> EntityTable::hits() {
  settleHits();
  std::vector<MemoizedRow> Rows;
  for (Slot Place = 0; Place != Entities.size(); ++Place)
    if (hasRow(Place))
      Rows.push_back({Entities[Place].Id, Hits[Place]});
  return Rows;
}

void EntityTable::forgetHits(size_t RowCount) {
  for (Slot Place = 0; Place != Entities.size() && RowCount != 0; ++Place)
    if (hasRow(Place)) {
      Hits[Place] = 0;
      --RowCount;
    }
}

} // namespace instantrace
