/// \file
/// What stands before the first record of an event chunk: the state in which a
/// decoder takes it up, so that a chunk can be read without those before it.
///
/// Layout:  EventChunkStartBytes bytes, little-endian, then event records as in
///          EventBatch.record (proto/FORMAT.md)
/// Threads: any; these are functions of their arguments
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace instantrace {

/// State of a decoder before the first record of a batch; the fields of proto
/// EventBatch.
struct BatchStart {
  uint64_t TimeNs = 0;
  uint64_t Interval = 0;
  uint32_t Entity = 1;
  uint32_t Location = 1;
  uint32_t Depth = 0;
};

inline constexpr size_t EventChunkStartBytes = 32;

/// Requires: EventChunkStartBytes bytes of room. Returns what follows them.
inline uint8_t *writeEventChunkStart(uint8_t *Out, const BatchStart &Start) {
  const uint32_t Words[] = {Start.Entity, Start.Location, Start.Depth, 0};
  std::memcpy(Out, &Start.TimeNs, 8);
  std::memcpy(Out + 8, &Start.Interval, 8);
  std::memcpy(Out + 16, Words, 16);
  return Out + EventChunkStartBytes;
}

/// Requires: \p Data holds EventChunkStartBytes bytes.
inline BatchStart readEventChunkStart(const uint8_t *Data) {
  BatchStart Start;
  std::memcpy(&Start.TimeNs, Data, 8);
  std::memcpy(&Start.Interval, Data + 8, 8);
  std::memcpy(&Start.Entity, Data + 16, 4);
  std::memcpy(&Start.Location, Data + 20, 4);
  std::memcpy(&Start.Depth, Data + 24, 4);
  return Start;
}

} // namespace instantrace
