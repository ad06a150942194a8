#include "plugin/recorder/EntityTable.h"

namespace instantrace {

void EntityTable::replaceRecent(RecentSlot &Recent, const void *Key) {
  if (Recent.Hits != 0)
    Hits[Recent.Place] += Recent.Hits;
  Recent = {Key, lookUp(Key), 0};
}

EntityTable::Slot EntityTable::lookUp(const void *Key) {
  if (const auto *Known = SlotByKey.find(Key))
    return Known->second;
  // In this order, whatever interrupts it: a crash handler goes on with these.
  Hits.push_back(0);
  Entities.emplace_back().Key = Key;
  return SlotByKey.insert(Key, static_cast<Slot>(Entities.size() - 1))
      .first->second;
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

void EntityTable::clear() {
  Entities = {};
  Hits = {};
  SlotsById = {};
  SlotByKey.clear();
}

} // namespace instantrace
