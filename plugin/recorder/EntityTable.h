/// \file
/// What events are about, with their ids, last uses and memoized hits.
///
/// Flow:    EventEncoder, Recorder -> [EntityTable] -> NamingPass
/// Leaves:  what a key stands for, to whoever made it
/// Ids:     given when the first event needs one, from 1, in the order of the
///          trace; what is only hit gets one at the end
/// Threads: one
#pragma once

#include "plugin/memory/SteadyIndex.h"
#include "runtime/record/TraceWriter.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Compiler.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace instantrace {

/// What the key of an entity points to. Parsed: one byte behind a declaration.
/// Whether the parser took long for one differs from run to run, so what is
/// known of it otherwise, by its own key, does not depend on that.
enum class EntityOrigin : uint8_t { Declaration, File, Function, Parsed };

inline const void *parsedKey(const void *Declaration) {
  return Declaration ? static_cast<const char *>(Declaration) + 1 : nullptr;
}

struct Entity {
  const void *Key = nullptr;
  uint64_t LastInterval = 0; ///< in which it was met last, plus 1; 0: none
  uint32_t LastLocation = 0; ///< raw encoding, at LastInterval
  uint32_t Id = 0;   ///< in the trace; 0 until an event or the end needs one
  uint32_t Hits = 0; ///< memoized, since they were forgotten; modulo 2^32
  EntityOrigin Origin = EntityOrigin::Declaration;

  bool isFile() const { return Origin == EntityOrigin::File; }
  bool isDeclaration() const { return Origin == EntityOrigin::Declaration; }
  /// Also of one that was parsed; null for files and functions of LLVM.
  const void *declaration() const {
    if (Origin == EntityOrigin::Parsed)
      return static_cast<const char *>(Key) - 1;
    return isDeclaration() ? Key : nullptr;
  }
};

class EntityListener {
public:
  virtual ~EntityListener() = default;
  /// An event gave \p Met its id.
  virtual void entityMet(const Entity &Met) = 0;
};

class EntityTable {
public:
  explicit EntityTable(EntityListener &Listener) : Listener(Listener) {
    // So that null is nowhere.
    recentPlace(nullptr).Key = this;
  }

  /// The place of an entity in the table, where it stays.
  using Slot = uint32_t;

  /// Of \p Key, which is not null; a new one when it is met first.
  Slot slotOf(const void *Key) { return recentSlot(Key).Place; }
  const Entity &operator[](Slot Place) const { return Entities[Place]; }
  /// 0: it has none. Changes nothing.
  uint32_t idOf(const void *Key) const;
  /// Requires: it has no id.
  void giveId(Slot Place, EntityOrigin Origin) {
    addId(Place);
    Entities[Place].Origin = Origin;
    Listener.entityMet(Entities[Place]);
  }
  /// To a declaration that no event named. As for giveRemainingIds().
  void giveIdIfNone(const void *Declaration) {
    Slot Place = slotOf(Declaration);
    if (Entities[Place].Id == 0)
      giveId(Place, EntityOrigin::Declaration);
  }
  /// Of the entity at \p Place, its last use; until the next slotOf().
  Entity &at(Slot Place) { return Entities[Place]; }
  /// \p Key as for slotOf().
  void countHit(const void *Key) {
    RecentSlot &Recent = recentSlot(Key);
    if (++Recent.Hits == UINT32_MAX)
      replaceRecent(Recent, Key);
  }
  /// The same, of one that was looked up lately: nothing is done, and false,
  /// for any other, and for null.
  bool countRecentHit(const void *Key) {
    RecentSlot &Recent = recentPlace(Key);
    if (Recent.Key != Key || Recent.Hits == UINT32_MAX - 1)
      return false;
    ++Recent.Hits;
    return true;
  }

  void fetchAhead(const void *Key) const {
    __builtin_prefetch(&RecentSlots[recentIndex(Key)]);
  }
  /// Ids given so far: the largest one.
  uint32_t idCount() const { return static_cast<uint32_t>(SlotsById.size()); }
  /// Requires: 0 < \p Id <= idCount().
  const Entity &withId(uint32_t Id) const {
    return Entities[SlotsById[Id - 1]];
  }
  /// All that were met, with an id or without.
  llvm::ArrayRef<Entity> all() const { return Entities; }

  /// Gives ids to entities that were hit and that no event named. No event that
  /// names an entity may follow in the chunk that is being written.
  void giveRemainingIds();
  /// Hits of those with an id, since they were forgotten.
  std::vector<MemoizedRow> hits();
  /// Forgets the first \p RowCount of what hits() gave last.
  void forgetHits(size_t RowCount);
  /// Forgets what they are, and keeps how many ids there are: what comes now is
  /// new.
  void forget();
  /// Gives its memory back. Nothing may be asked for afterwards.
  void clear();

private:
  /// What SlotByKey gave for a key lately, and the hits counted since.
  struct RecentSlot {
    const void *Key;
    Slot Place;
    uint32_t Hits; ///< to be added to the entity's
  };
  static size_t recentIndex(const void *Key) {
    auto Bits = reinterpret_cast<uintptr_t>(Key); // aligned to 8 at least
    return (Bits >> 3 ^ Bits >> 15) % RecentCount;
  }
  RecentSlot &recentPlace(const void *Key) {
    return RecentSlots[recentIndex(Key)];
  }
  RecentSlot &recentSlot(const void *Key) {
    RecentSlot &Recent = recentPlace(Key);
    if (Recent.Key != Key)
      replaceRecent(Recent, Key);
    return Recent;
  }
  void replaceRecent(RecentSlot &Recent, const void *Key);
  Slot find(const void *Key) const;
  Slot lookUp(const void *Key);
  void addId(Slot Place) {
    SlotsById.push_back(Place);
    Entities[Place].Id = idCount();
  }
  /// Adds the hits that are counted beside the entities to them.
  void settleHits();
  void settleLeftHits();
  void addHits(Slot Place, uint32_t More) {
    uint32_t &Hits = Entities[Place].Hits;
    if (LLVM_UNLIKELY(More > UINT32_MAX - Hits))
      Carries.push_back(Place);
    Hits += More;
    HasHits[Place / WordBits] |= hitBit(Place);
  }
  static uint64_t hitBit(Slot Place) { return uint64_t(1) << Place % WordBits; }
  uint64_t hitsOf(Slot Place) const;
  /// Calls Take(place) with those that have hits and an id, in the order of
  /// their places, until it is false.
  template <class Function> void forRows(Function Take) const;

  EntityListener &Listener;
  std::vector<Entity> Entities;
  static constexpr size_t WordBits = 64;
  std::vector<uint64_t> HasHits; ///< a bit for each
  std::vector<Slot> Carries;     ///< once for each 2^32 hits
  std::vector<Slot> SlotsById;
  // Most look-ups are of something met a moment ago; these remember what the
  // map gave, since it outgrows the caches.
  static constexpr size_t RecentCount = 1024;
  RecentSlot RecentSlots[RecentCount] = {};
  // Hits of those that are recent no more: their entities are in no cache, and
  // are fetched many at a time.
  static constexpr size_t LeftCount = 128;
  std::pair<Slot, uint32_t> LeftHits[LeftCount];
  size_t LeftHitCount = 0;
  SteadyIndex SlotByKey;
};

} // namespace instantrace
