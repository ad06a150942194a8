/// \file
/// Some of the records of an index, by number.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace instantrace {

/// A bit for each: a look for the next one passes 64 at a time.
class RecordSet {
public:
  static constexpr uint32_t None = UINT32_MAX;

  /// Of numbers below \p Limit.
  explicit RecordSet(uint32_t Limit)
      : Words(Limit / WordBits + 1), Limit(Limit) {}

  void add(uint32_t Id) {
    uint64_t &Word = Words[Id / WordBits];
    uint64_t Bit = uint64_t(1) << Id % WordBits;
    Size += (Word & Bit) == 0;
    Word |= Bit;
  }
  uint64_t size() const { return Size; }
  uint32_t limit() const { return Limit; }
  bool contains(uint32_t Id) const {
    return Words[Id / WordBits] >> Id % WordBits & 1;
  }

  /// The first one in [From, End); None: there is none.
  uint32_t next(uint32_t Begin, uint32_t End) const {
    for (uint64_t Bit = Begin; Bit < End; Bit = (Bit / WordBits + 1) * WordBits)
      if (uint64_t Word = Words[Bit / WordBits] >> Bit % WordBits) {
        uint64_t Found = Bit + static_cast<unsigned>(std::countr_zero(Word));
        return Found < End ? static_cast<uint32_t>(Found) : None;
      }
    return None;
  }
  /// The last one in [Begin, Upto); None: there is none.
  uint32_t previous(uint32_t Upto, uint32_t Begin) const {
    for (uint64_t Bit = Upto; Bit > Begin;
         Bit = (Bit - 1) / WordBits * WordBits)
      if (uint64_t Word = Words[(Bit - 1) / WordBits]
                          << (WordBits - 1 - (Bit - 1) % WordBits)) {
        uint64_t Found =
            Bit - 1 - static_cast<unsigned>(std::countl_zero(Word));
        return Found >= Begin ? static_cast<uint32_t>(Found) : None;
      }
    return None;
  }

private:
  static constexpr uint64_t WordBits = 64;

  std::vector<uint64_t> Words;
  uint64_t Size = 0;
  uint32_t Limit;
};

} // namespace instantrace
