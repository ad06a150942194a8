/// \file
/// Base-128 varints as in protobuf: the writer's side, on raw memory.
#ifndef INSTANTRACE_RUNTIME_TRACE_VARINT_H
#define INSTANTRACE_RUNTIME_TRACE_VARINT_H

#include <cstdint>

namespace instantrace {

/// Requires: 10 bytes of room. Returns the position after the varint.
inline uint8_t *writeVarint(uint8_t *Out, uint64_t Value) {
  while (Value >= 0x80) {
    *Out++ = static_cast<uint8_t>(Value | 0x80);
    Value >>= 7;
  }
  *Out++ = static_cast<uint8_t>(Value);
  return Out;
}

} // namespace instantrace

#endif
