#include "plugin/recorder/EntityTable.h"

#include "llvm/ADT/DenseMapInfo.h"

namespace instantrace {

void EntityTable::replaceRecent(RecentSlot &Recent, const void *Key) {
  if (Recent.Hits != 0)
    Hits[Recent.Place] += Recent.Hits;
  Recent = {Key, lookUp(Key), 0};
}

namespace {
unsigned hash(const void *Key) {
  return llvm::DenseMapInfo<const void *>::getHashValue(Key);
}
} // namespace

EntityTable::Slot EntityTable::find(const void *Key) const {
  return SlotByKey.find(hash(Key),
                        [&](Slot Place) { return Entities[Place].Key == Key; });
}

uint32_t EntityTable::idOf(const void *Key) const {
  Slot Known = find(Key);
  return Known != SteadyIndex::None ? Entities[Known].Id : 0;
}

EntityTable::Slot EntityTable::lookUp(const void *Key) {
  Slot Known = find(Key);
  if (Known != SteadyIndex::None)
    return Known;
  // In this order, whatever interrupts it: a crash handler goes on with these.
  Hits.push_back(0);
  Entities.emplace_back().Key = Key;
  auto Place = static_cast<Slot>(Entities.size() - 1);
  SlotByKey.insert(Place, hash(Key),
                   [&](Slot Of) { return hash(Entities[Of].Key); });
  return Place;
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
