/// \file
/// The trace of a compile that runs, as it grows: each look decodes only what
/// was added since the last.
///
/// Flow:    BufferSnapshot + partial trace -> [LiveTrace] -> Sequence
/// Errors:  what cannot be read is left out, and problem() says so
///
/// What was read from the buffer comes again in the partial trace. Both are the
/// same stream: packets in one order, and the records of events in another. So
/// how many packets and how many bytes of records were taken says where to go
/// on, wherever they are. Only the chunk that is being written is decoded
/// again: its end is not known, and a batch cannot be taken up in its middle.
#pragma once

#include "runtime/read/SequenceReader.h"
#include "runtime/shm/BufferSnapshot.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace instantrace {

class LiveTrace {
public:
  /// What needs to see all final events, and none that may be taken back.
  using FinalFunction = std::function<void(const Sequence &)>;

  /// Takes what was added. \p Partial may be null when nothing was drained.
  /// \p OnFinal is called once, before the events of the open chunk are taken.
  /// False: what was taken before does not fit; the next look reads all anew,
  /// and what observed the sequence must start anew as well.
  bool update(const BufferSnapshot &Buffer, const BufferImage *Partial,
              const FinalFunction &OnFinal);

  /// Requires: an update.
  const Sequence &sequence() const { return Reader->sequence(); }
  IntervalId innermost() const { return Reader->innermost(); }
  /// The last thing that could not be read; empty: none.
  const std::string &problem() const { return Problem; }

private:
  bool readPartial(const BufferImage &Partial, uint64_t EndBytes);
  bool takePacket(std::string_view Packet, uint64_t &PacketNo,
                  uint64_t &RecordAt);
  void takePacketChunks(const BufferSnapshot &Buffer, const SnapshotWriter &W);
  bool takeEventChunks(const BufferSnapshot &Buffer, const SnapshotWriter &W,
                       const FinalFunction &OnFinal);
  void add(std::string_view Packet);

  std::optional<SequenceReader> Reader;
  std::optional<SequenceReader::EventState> BeforeTail;
  std::string Problem;
  uint64_t FileBytes = 0; ///< of the partial trace that were read
  // Where both streams are at FileBytes, and how far they were taken.
  uint64_t PacketsInFile = 0, PacketsTaken = 0;
  uint64_t RecordBytesInFile = 0, RecordBytesTaken = 0;
};

} // namespace instantrace
