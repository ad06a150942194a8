/// \file
/// Numbers keys by first appearance, of which there are millions.
///
/// A standard table allocates for each key and follows a pointer to find it,
/// which was half of the time of a report. Here keys are in one array, and
/// found over another one of their numbers: linear probing, at most half full.
#pragma once

#include "runtime/base/Hash.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace instantrace {

/// Of two numbers in one.
struct PairHash {
  constexpr uint64_t operator()(uint64_t Pair) const {
    return hashPair(static_cast<uint32_t>(Pair >> 32),
                    static_cast<uint32_t>(Pair));
  }
};

/// Hash gives 64 bits, of which the upper ones are the better ones (hashPair).
/// Requires: fewer than 2^32 - 1 keys.
template <class Key, class Hash> class KeyNumbers {
public:
  struct Found {
    uint32_t Number;
    bool IsNew;
  };

  /// The number of a key; a new one has the next, from 0.
  Found add(const Key &K) {
    if (2 * (Keys.size() + 1) > Slots.size())
      grow();
    uint32_t &Slot = slot(K);
    bool IsNew = Slot == 0;
    if (IsNew) {
      Keys.push_back(K);
      Slot = static_cast<uint32_t>(Keys.size());
    }
    return {Slot - 1, IsNew};
  }
  size_t size() const { return Keys.size(); }
  const Key &operator[](uint32_t Number) const { return Keys[Number]; }
  /// Only what keys are neither compared nor hashed by may change.
  Key &operator[](uint32_t Number) { return Keys[Number]; }
  /// By number. Ends the life of the table.
  std::vector<Key> take() {
    std::vector<uint32_t>().swap(Slots);
    return std::move(Keys);
  }

private:
  /// Where its number is, or has to be.
  uint32_t &slot(const Key &K) {
    for (size_t Index = static_cast<size_t>(Hash()(K) >> Shift);;
         Index = (Index + 1) & (Slots.size() - 1)) {
      uint32_t &Slot = Slots[Index];
      if (Slot == 0 || Keys[Slot - 1] == K)
        return Slot;
    }
  }
  void grow() {
    --Shift;
    Slots.assign(size_t(1) << (64 - Shift), 0);
    for (uint32_t I = 0; I != Keys.size(); ++I)
      slot(Keys[I]) = I + 1;
  }

  std::vector<Key> Keys;
  std::vector<uint32_t> Slots; ///< number plus 1; 0: free
  unsigned Shift = 60;
};

} // namespace instantrace
