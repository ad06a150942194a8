/// \file
/// Numbers in the bytes that they need, to be read again in their order.
///
/// Flow:   what a rule keeps of each compile of a build -> [PackedNumbers]
#pragma once

#include "runtime/base/Varint.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace instantrace {

class PackedNumbers {
public:
  void add(uint64_t Number) {
    uint8_t Room[16];
    Bytes.insert(Bytes.end(), Room, writeVarint(Room, Number));
  }
  /// There will be no more.
  void shrink() { Bytes.shrink_to_fit(); }

  /// Valid until something is added.
  class Reader {
  public:
    explicit Reader(const PackedNumbers &Numbers)
        : Next(Numbers.Bytes.data()) {}

    /// Requires: there is one more.
    uint64_t next() {
      uint64_t Number = 0;
      for (unsigned Shift = 0;; Shift += 7) {
        uint8_t Byte = *Next++;
        Number |= uint64_t(Byte & 0x7f) << Shift;
        if (Byte < 0x80)
          return Number;
      }
    }
    /// For a number of 32 bits.
    uint32_t next32() { return static_cast<uint32_t>(next()); }

  private:
    const uint8_t *Next;
  };

private:
  std::vector<uint8_t> Bytes;
};

} // namespace instantrace
