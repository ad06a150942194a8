/// \file
/// Hash tables that are whole whenever they are looked at.
///
/// LLVM's DenseMap says that it has twice the buckets before it has them. Who
/// goes on with one whose growth was interrupted, by an allocation that failed
/// or a stack that ended, reads and writes behind the old ones. Here the new
/// table is complete before one store makes it the table, and a value before
/// its key; so our crash handler finds each entry or does not find it, and a
/// profile without memory is torn down safely.
///
/// Layout:  one block: mask, then buckets; open addressing, triangular probes
/// Keys:    by llvm::DenseMapInfo; EmptyKey is none
/// Errors:  std::bad_alloc from insert(), and then nothing has changed
/// Threads: one; a signal handler of it may read and insert
#pragma once

#include "llvm/ADT/DenseMapInfo.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace instantrace {

/// The key of no entry. LLVM's own are gone since 23.
template <class Key> struct EmptyKey {
  static Key get() {
    if constexpr (std::is_pointer_v<Key>)
      // Of nothing that there is. NOLINTNEXTLINE(performance-no-int-to-ptr)
      return reinterpret_cast<Key>(~uintptr_t(0) << 12);
    else if constexpr (std::is_integral_v<Key>)
      return static_cast<Key>(-1);
    else
      return Key::getSentinel();
  }
};
template <class First, class Second> struct EmptyKey<std::pair<First, Second>> {
  static std::pair<First, Second> get() {
    return {EmptyKey<First>::get(), EmptyKey<Second>::get()};
  }
};

template <class Key, class Value> class SteadyMap {
public:
  using Entry = std::pair<Key, Value>;

  SteadyMap() = default;
  ~SteadyMap() { ::operator delete(Table); }
  SteadyMap(const SteadyMap &) = delete;
  SteadyMap &operator=(const SteadyMap &) = delete;

  /// Null: there is none. Until the next insert().
  Entry *find(const Key &K) const {
    Block *Now = Table;
    if (!Now)
      return nullptr;
    Entry *Found = place(*Now, K);
    return Info::isEqual(Found->first, K) ? Found : nullptr;
  }
  bool contains(const Key &K) const { return find(K) != nullptr; }
  /// A default value when there is none.
  Value lookup(const Key &K) const {
    const Entry *Found = find(K);
    return Found ? Found->second : Value();
  }

  /// The entry of \p K, with \p V if it is new, and whether it is.
  std::pair<Entry *, bool> insert(const Key &K, const Value &V = Value()) {
    if (Block *Now = Table) {
      Entry *Found = place(*Now, K);
      if (Info::isEqual(Found->first, K))
        return {Found, false};
      if (Count * 4 < (Now->Mask + 1) * 3)
        return {put(Found, K, V), true};
    }
    grow();
    return {put(place(*Table, K), K, V), true};
  }
  Value &operator[](const Key &K) { return insert(K).first->second; }

  size_t size() const { return Count; }
  /// Where the search for \p K begins; null when the map is empty.
  const void *home(const Key &K) const {
    return Table ? &Table->bucket(Info::getHashValue(K) & Table->Mask)
                 : nullptr;
  }
  void clear() {
    Block *Old = std::exchange(Table, nullptr);
    Count = 0;
    ::operator delete(Old);
  }

private:
  using Info = llvm::DenseMapInfo<Key>;
  static_assert(std::is_trivially_destructible_v<Entry>);
  static_assert(alignof(Entry) <= alignof(std::max_align_t));

  struct alignas(Entry) alignas(size_t) Block {
    size_t Mask;
    Entry &bucket(size_t I) { return reinterpret_cast<Entry *>(this + 1)[I]; }
  };

  /// Where \p K is, or the empty bucket where it would be.
  static Entry *place(Block &In, const Key &K) {
    size_t I = Info::getHashValue(K) & In.Mask;
    for (size_t Step = 1;; ++Step) {
      Entry &Slot = In.bucket(I);
      if (Info::isEqual(Slot.first, K) ||
          Info::isEqual(Slot.first, EmptyKey<Key>::get()))
        return &Slot;
      I = (I + Step) & In.Mask;
    }
  }

  Entry *put(Entry *Into, const Key &K, const Value &V) {
    ::new (static_cast<void *>(&Into->second)) Value(V);
    std::atomic_signal_fence(std::memory_order_release);
    ::new (static_cast<void *>(&Into->first)) Key(K);
    ++Count;
    return Into;
  }

  void grow() {
    Block *Old = Table;
    size_t Buckets = Old ? (Old->Mask + 1) * 2 : FirstBuckets;
    auto *New = ::new (::operator new(sizeof(Block) + Buckets * sizeof(Entry)))
        Block{Buckets - 1};
    for (size_t I = 0; I != Buckets; ++I)
      ::new (static_cast<void *>(&New->bucket(I).first))
          Key(EmptyKey<Key>::get());
    for (size_t I = 0; Old && I <= Old->Mask; ++I)
      if (Entry &E = Old->bucket(I);
          !Info::isEqual(E.first, EmptyKey<Key>::get()))
        ::new (place(*New, E.first)) Entry(E);
    std::atomic_signal_fence(std::memory_order_release);
    Table = New;
    std::atomic_signal_fence(std::memory_order_release);
    ::operator delete(Old);
  }

  static constexpr size_t FirstBuckets = 64;
  Block *Table = nullptr;
  size_t Count = 0;
};

template <class Key> class SteadySet {
public:
  /// Whether it is new.
  bool insert(const Key &K) { return Keys.insert(K).second; }
  bool contains(const Key &K) const { return Keys.contains(K); }
  size_t size() const { return Keys.size(); }
  void clear() { Keys.clear(); }

private:
  SteadyMap<Key, bool> Keys;
};

} // namespace instantrace
