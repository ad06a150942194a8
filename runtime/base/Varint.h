/// \file
/// Base-128 varints as in protobuf: the writer's side, on raw memory.
///
/// The lengths of what is recorded change from event to event (times, ids), so
/// a loop over the bytes is mispredicted at every second number. Up to 14 bits,
/// which most have, and up to 28, the bytes are made without a branch.
#pragma once

#include <cstdint>
#include <cstring>

namespace instantrace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "the lowest byte is stored first");

/// The part of writeVarint() for larger ones.
[[gnu::noinline]] inline uint8_t *writeLongVarint(uint8_t *Out,
                                                  uint64_t Value) {
  if (Value < uint64_t(1) << 28) {
    auto V = static_cast<uint32_t>(Value);
    auto Bits = static_cast<unsigned>(32 - __builtin_clz(V | 1));
    unsigned Bytes = (Bits * 9 + 64) / 64; // Bits / 7, rounded up
    uint32_t Spread = (V & 0x7f) | (V & 0x3f80) << 1 | (V & 0x1fc000) << 2 |
                      (V & 0xfe00000) << 3;
    // All bytes but the last say that another one follows.
    Spread |= 0x808080 & ((uint32_t(1) << (Bytes - 1) * 8) - 1);
    std::memcpy(Out, &Spread, sizeof(Spread));
    return Out + Bytes;
  }
  while (Value >= 0x80) {
    *Out++ = static_cast<uint8_t>(Value | 0x80);
    Value >>= 7;
  }
  *Out++ = static_cast<uint8_t>(Value);
  return Out;
}

/// Requires: 10 bytes of room, whose contents behind the varint are undefined
/// afterwards. Returns the position after the varint.
[[gnu::always_inline]] inline uint8_t *writeVarint(uint8_t *Out,
                                                   uint64_t Value) {
  if (Value >= uint64_t(1) << 14)
    return writeLongVarint(Out, Value);
  auto V = static_cast<uint32_t>(Value);
  uint32_t HasSecond = V > 0x7f;
  auto Spread =
      static_cast<uint16_t>((V & 0x7f) | (V & 0x3f80) << 1 | HasSecond << 7);
  std::memcpy(Out, &Spread, sizeof(Spread));
  return Out + 1 + HasSecond;
}

} // namespace instantrace
