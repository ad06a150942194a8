#include "plugin/recorder/EntityTable.h"

#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/STLExtras.h"

#include <atomic>
#include <utility>

namespace instantrace {

void EntityTable::replaceRecent(RecentSlot &Recent, const void *Key) {
  if (Recent.Hits != 0) {
    if (LeftHitCount == LeftCount)
      settleLeftHits();
    // In this order for a signal that drains: what it comes between is counted
    // once, or, of one entity, not at all.
    const uint32_t Hits = std::exchange(Recent.Hits, 0);
    LeftHits[LeftHitCount] = {Recent.Place, Hits};
    std::atomic_signal_fence(std::memory_order_seq_cst);
    ++LeftHitCount;
  }
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
  if (Entities.size() == HasHits.size() * WordBits)
    HasHits.push_back(0);
  Entities.emplace_back().Key = Key;
  auto Place = static_cast<Slot>(Entities.size() - 1);
  SlotByKey.insert(Place, hash(Key),
                   [&](Slot S) { return hash(Entities[S].Key); });
  return Place;
}

void EntityTable::settleLeftHits() {
  for (size_t I = 0; I != LeftHitCount; ++I)
    __builtin_prefetch(&Entities[LeftHits[I].first], 1);
  while (LeftHitCount != 0) {
    auto [Place, Hits] = LeftHits[--LeftHitCount];
    addHits(Place, Hits);
  }
}

void EntityTable::settleHits() {
  settleLeftHits();
  for (RecentSlot &Recent : RecentSlots)
    if (Recent.Hits != 0) {
      addHits(Recent.Place, Recent.Hits);
      Recent.Hits = 0;
    }
}

uint64_t EntityTable::hitsOf(Slot Place) const {
  auto Carried = static_cast<uint64_t>(llvm::count(Carries, Place));
  return Carried << 32 | Entities[Place].Hits;
}

template <class Function> void EntityTable::forRows(Function Take) const {
  for (size_t Word = 0; Word != HasHits.size(); ++Word)
    for (uint64_t Bits = HasHits[Word]; Bits != 0; Bits &= Bits - 1) {
      auto Place = static_cast<Slot>(
          Word * WordBits + static_cast<unsigned>(__builtin_ctzll(Bits)));
      if (Entities[Place].Id != 0 && !Take(Place))
        return;
    }
}

void EntityTable::giveRemainingIds() {
  settleHits();
  for (Slot Place = 0; Place != Entities.size(); ++Place)
    if (Entities[Place].Id == 0 &&
        (HasHits[Place / WordBits] & hitBit(Place)) != 0)
      addId(Place);
}

std::vector<MemoizedRow> EntityTable::hits() {
  settleHits();
  std::vector<MemoizedRow> Rows;
  size_t Count = 0;
  for (uint64_t Bits : HasHits)
    Count += static_cast<unsigned>(__builtin_popcountll(Bits));
  Rows.reserve(Count);
  forRows([&](Slot Place) {
    Rows.push_back({Entities[Place].Id, hitsOf(Place)});
    return true;
  });
  return Rows;
}

void EntityTable::forgetHits(size_t RowCount) {
  forRows([&](Slot Place) {
    if (RowCount == 0)
      return false;
    --RowCount;
    Entities[Place].Hits = 0;
    HasHits[Place / WordBits] &= ~hitBit(Place);
    if (LLVM_UNLIKELY(!Carries.empty()))
      llvm::erase_if(Carries, [&](Slot S) { return S == Place; });
    return true;
  });
}

void EntityTable::forget() {
  for (RecentSlot &Recent : RecentSlots)
    Recent = {};
  recentPlace(nullptr).Key = this;
  LeftHitCount = 0;
  SlotByKey.clear();
  // `= {}` would keep what they have.
  std::vector<Entity>().swap(Entities);
  std::vector<uint64_t>().swap(HasHits);
  std::vector<Slot>().swap(Carries);
}

void EntityTable::clear() {
  forget();
  std::vector<Slot>().swap(SlotsById);
}

} // namespace instantrace
