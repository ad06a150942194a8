/// \file
/// What chunks become in the trace file.
///
/// Flow:    ChunkReader | SharedDrain -> [appendChunks] -> bytes -> file
/// Order:   packets before events, so a name that was written before an event
///          was is before it in the file
/// Errors:  none; the content is copied as it is, for readers to judge
#pragma once

#include "runtime/shm/ChunkReader.h"

#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

/// The writers of a compile's buffer.
inline constexpr uint16_t EventsWriterId = 1;
inline constexpr uint16_t PacketsWriterId = 2;

/// Last sequence numbers among some chunks; left alone where there is none.
struct LastSequences {
  uint32_t Events = 0, Packets = 0;
};

/// \p Chunks are each writer's in order; \p Packets joins their fragments from
/// call to call.
void appendChunks(const std::vector<ChunkContent> &Chunks, uint32_t SequenceId,
                  RecordAssembler &Packets, std::string &Into,
                  LastSequences &Last);

} // namespace instantrace
