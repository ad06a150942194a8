/// \file
/// The places of elements in a table, found by the elements' keys.
///
/// A quarter of a SteadyMap's size for pointers: the keys stay in the table,
/// which is looked at for what was found anyway. Whole whenever it is looked
/// at, as that is.
///
/// Layout:  one block: mask, then buckets; open addressing, triangular probes.
///          A bucket is 0, or a place + 1 in the bits of the mask and bits of
///          the hash in the others: what is another's is not looked at
/// Errors:  std::bad_alloc from insert(), and then nothing has changed
/// Threads: one; a signal handler of it may read and insert
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

namespace instantrace {

class SteadyIndex {
public:
  static constexpr uint32_t None = UINT32_MAX;

  SteadyIndex() = default;
  ~SteadyIndex() { ::operator delete(Table); }
  SteadyIndex(const SteadyIndex &) = delete;
  SteadyIndex &operator=(const SteadyIndex &) = delete;

  /// The place among those with \p Hash of which IsIt(place), or None.
  template <class Predicate> uint32_t find(size_t Hash, Predicate IsIt) const {
    if (!Table)
      return None;
    const uint32_t *Buckets = Table->buckets();
    const auto Mask = static_cast<uint32_t>(Table->Mask);
    const uint32_t Tag = Table->tag(Hash);
    size_t I = Hash & Mask;
    for (size_t Step = 1; uint32_t Bucket = Buckets[I]; ++Step) {
      uint32_t Place = (Bucket & Mask) - 1;
      if ((Bucket & ~Mask) == Tag && IsIt(Place))
        return Place;
      I = (I + Step) & Mask;
    }
    return None;
  }

  /// Requires: \p Place is how many there are, and below None. HashOf(place) is
  /// that of any place in it.
  template <class Function>
  void insert(uint32_t Place, size_t Hash, Function HashOf) {
    if (!Table || size_t(Count) * 4 >= (Table->Mask + 1) * 3)
      grow(HashOf);
    Table->put(Place, Hash);
    Count = Place + 1;
  }

  void clear() {
    Block *Old = std::exchange(Table, nullptr);
    Count = 0;
    ::operator delete(Old);
  }

private:
  struct Block {
    size_t Mask;
    uint32_t *buckets() { return reinterpret_cast<uint32_t *>(this + 1); }
    /// Bits of \p Hash other than those that the search begins at, as far as
    /// places leave room for them.
    uint32_t tag(size_t Hash) const {
      uint64_t Mixed = uint64_t(Hash) * 0x9E3779B97F4A7C15;
      return static_cast<uint32_t>(Mixed >> 32) & ~static_cast<uint32_t>(Mask);
    }
    void put(uint32_t Place, size_t Hash) {
      size_t I = Hash & Mask;
      for (size_t Step = 1; buckets()[I] != 0; ++Step)
        I = (I + Step) & Mask;
      buckets()[I] = tag(Hash) | (Place + 1);
    }
  };

  template <class Function> void grow(Function HashOf) {
    Block *Old = Table;
    size_t Buckets = Old ? (Old->Mask + 1) * 2 : FirstBuckets;
    size_t Bytes = Buckets * sizeof(uint32_t);
    auto *New =
        ::new (::operator new(sizeof(Block) + Bytes)) Block{Buckets - 1};
    std::memset(New->buckets(), 0, Bytes);
    for (uint32_t Place = 0; Place != Count; ++Place)
      New->put(Place, HashOf(Place));
    std::atomic_signal_fence(std::memory_order_release);
    Table = New;
    std::atomic_signal_fence(std::memory_order_release);
    ::operator delete(Old);
  }

  static constexpr size_t FirstBuckets = 256;
  Block *Table = nullptr;
  uint32_t Count = 0;
};

} // namespace instantrace
