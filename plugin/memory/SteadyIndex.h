/// \file
/// The places of elements in a table, found by the elements' keys.
///
/// A quarter of a SteadyMap's size for pointers: the keys stay in the table,
/// which is looked at for what was found anyway. Whole whenever it is looked
/// at, as that is.
///
/// Layout:  one block: mask, then places + 1 or 0; open addressing, triangular
/// probes Errors:  std::bad_alloc from insert(), and then nothing has changed
/// Threads: one; a signal handler of it may read and insert
#ifndef INSTANTRACE_PLUGIN_MEMORY_STEADYINDEX_H
#define INSTANTRACE_PLUGIN_MEMORY_STEADYINDEX_H

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
    size_t I = Hash & Table->Mask;
    for (size_t Step = 1; Buckets[I] != 0; ++Step) {
      if (IsIt(Buckets[I] - 1))
        return Buckets[I] - 1;
      I = (I + Step) & Table->Mask;
    }
    return None;
  }

  /// Requires: \p Place is not in it, and is below None. HashOf(place) is that
  /// of any place in it.
  template <class Function>
  void insert(uint32_t Place, size_t Hash, Function HashOf) {
    if (!Table || Count * 4 >= (Table->Mask + 1) * 3)
      grow(HashOf);
    Table->freeBucket(Hash) = Place + 1;
    ++Count;
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
    uint32_t &freeBucket(size_t Hash) {
      size_t I = Hash & Mask;
      for (size_t Step = 1; buckets()[I] != 0; ++Step)
        I = (I + Step) & Mask;
      return buckets()[I];
    }
  };

  template <class Function> void grow(Function HashOf) {
    Block *Old = Table;
    size_t Buckets = Old ? (Old->Mask + 1) * 2 : FirstBuckets;
    size_t Bytes = Buckets * sizeof(uint32_t);
    auto *New =
        ::new (::operator new(sizeof(Block) + Bytes)) Block{Buckets - 1};
    std::memset(New->buckets(), 0, Bytes);
    for (size_t I = 0; Old && I <= Old->Mask; ++I)
      if (uint32_t Bucket = Old->buckets()[I])
        New->freeBucket(HashOf(Bucket - 1)) = Bucket;
    std::atomic_signal_fence(std::memory_order_release);
    Table = New;
    std::atomic_signal_fence(std::memory_order_release);
    ::operator delete(Old);
  }

  static constexpr size_t FirstBuckets = 256;
  Block *Table = nullptr;
  size_t Count = 0;
};

} // namespace instantrace

#endif
