/// \file
/// Makes one trace of what a compile left: partial trace and buffer.
///
/// Flow:    partial trace + BufferSnapshot -> [BufferRecovery] -> trace bytes
/// Layout:  runtime/shm/BufferHeader.h (what counts of which),
///          runtime/format/EventChunk.h, proto/FORMAT.md
/// Errors:  both inputs are hostile. Each packet is decoded before it is taken,
///          so that the result has no fatal issue; what cannot be used is
///          dropped and said
/// Leaves:  reading files
#pragma once

#include "runtime/read/Trace.h"
#include "runtime/shm/BufferSnapshot.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

struct RecoveredTrace {
  /// Whole packets; no footer unless the compiler wrote one. Empty: not even
  /// the session could be read, and Problems says why.
  std::string Bytes;
  /// What Bytes hold, as the reader will find it.
  Sequence Content;
  uint64_t FragmentsDropped = 0; ///< records whose rest never came
  uint64_t EventsDropped = 0;    ///< as the producer counted them
  uint32_t Signal = 0;           ///< that ended the compiler; 0: none known
  bool RanOutOfMemory = false;   ///< an allocation of the compiler failed
  std::string Pass;              ///< of the optimizer, that ran last
  // Of the process, as whoever watched it knows; 0: nobody did. The peak is at
  // least what the process itself saw last.
  uint64_t PeakRssBytes = 0, UserTimeNs = 0, SystemTimeNs = 0;
  /// What was wrong or missing, one line each, for people.
  std::vector<std::string> Problems;
};

/// The order is: the partial trace's whole packets (the session's if it has
/// none), packets from the buffer, events from the buffer, then names of the
/// entities whose own had not been written: whole ones of what had been open
/// for long, and short ones. \p PartialTrace may be
/// longer than what counts, and is cut; shorter is a problem that is said.
RecoveredTrace recoverTrace(const BufferSnapshot &Buffer,
                            std::string_view PartialTrace);

/// Of a partial trace whose buffer is gone or was never in a file.
RecoveredTrace recoverTrace(std::string_view PartialTrace);

/// The records of a chunk of events as a packet with its frame; empty when it
/// has none. Requires: EventChunkStartBytes bytes or none, and no flags.
std::string eventPacket(uint32_t SequenceId, const ChunkContent &Chunk);

/// Ends a trace that has no footer with one that says it was interrupted.
void addInterruptedFooter(RecoveredTrace &Trace);

} // namespace instantrace
