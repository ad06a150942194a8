/// \file
/// Takes chunks out of a buffer that two processes drain, each record once.
///
/// Flow:    chunks => [SharedDrain] -> appendChunks() -> partial trace
/// Layout:  runtime/shm/BufferHeader.h (DrainLock, DrainRecord)
/// Threads: one per object. A pass is made under LiveState::DrainLock, so that
///          at any time one process appends, changes the drain record or moves
///          chunks from Complete to Free; the writers go on meanwhile
/// Errors:  what cannot be true is counted in malformedChunks() and left alone:
///          a collector lets go of such a buffer
///
/// One pass, and what is left when its process is killed after each step:
///   1. tryLock()    The lock names the dead one. The other sees the end of
///                   the socket, takes the lock over and begins at 2.
///   2. select()     Some chunks are BeingRead. Only who holds the lock makes
///                   chunks so: the next select() takes them as if Complete.
///   3. append       The file is longer than FileBytes, perhaps by half a
///                   packet. Whoever appends next cuts it to FileBytes first
///                   (appendToTrace()), and the same chunks give these bytes
///                   again: nothing is lost and nothing is there twice.
///   4. record()     One store makes the new record count. Before it, see 3.
///                   After it the chunks are drained, and still BeingRead.
///   5. release()    select() frees what is not after LastSequence, whatever
///                   its state, without looking into it.
///   6. unlock()     Before it, the next one takes over a lock with nothing
///                   behind it. After it nothing is owed.
///
/// "Dead" is what the kernel says: the other end of the socket is closed. It
/// closes descriptors after the process's last instruction and after its last
/// write() has ended, so a dead one appends and stores nothing any more. A
/// process that lives closes its end only while it does not hold the lock. One
/// that is stopped is not dead: the lock is not taken from it however long it
/// holds it. Who waits for it gives up after a bound, loses events and counts
/// them.
///
/// Fragments: a record may span chunks, and who takes its first one must take
/// its last. A collector takes such chunks together or leaves them. The
/// producer may take the first part of the record that it is writing, since it
/// alone knows that more will come; what follows begins with the rest of a
/// record, and that a collector leaves to the producer.
#pragma once

#include "runtime/shm/BufferHeader.h"
#include "runtime/shm/ChunkReader.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace instantrace {

class SharedDrain {
public:
  /// \p Writers in the order of the header, MaxWriters at most. \p Buffer and
  /// \p Live must outlive this; nothing in them is changed here.
  SharedDrain(SharedMemoryAbi &Buffer, LiveState &Live, DrainOwner Self,
              std::vector<WriterDescription> Writers);
  SharedDrain(const SharedDrain &) = delete;
  SharedDrain &operator=(const SharedDrain &) = delete;

  /// Nobody -> Self.
  bool tryLock();
  /// Nobody or the other -> Self. Requires: the other is dead.
  bool takeOver();
  /// Self -> Nobody.
  void unlock();

  // Requires the lock from here on.

  /// The record that counts.
  DrainRecord current() const;
  /// What the process that died between record() and release() owed is freed;
  /// then the chunks that follow on LastSequence without a gap are acquired,
  /// packets first, each writer's by sequence. The collector takes whole
  /// records only, and no more chunks once it has \p LimitBytes, save those of
  /// a record it has begun. Valid until release().
  const std::vector<ChunkContent> &select(size_t LimitBytes = SIZE_MAX);
  /// What select() gave is in the file, which has \p FileBytes now.
  void record(uint64_t FileBytes);
  /// Frees what select() gave. Requires: record() was called.
  void release();

  uint64_t malformedChunks() const { return Malformed; }

private:
  struct Candidate {
    size_t Page;
    unsigned Index;
    uint32_t Distance; ///< from the sequence whose turn it is
    Chunk C;
    ChunkContent Content;
    bool IsBeingRead;
  };
  void look(size_t Page, unsigned Index, const DrainRecord &Last);
  bool acquire(Candidate &C);
  void free(const Candidate &Which);
  /// How many of the first \p Count candidates at \p Candidates to take.
  size_t runLength(const std::vector<Candidate> &Candidates, bool HasPackets,
                   size_t LimitBytes) const;

  SharedMemoryAbi &Buffer;
  LiveState &Live;
  DrainOwner Self;
  std::vector<WriterDescription> Writers;
  std::vector<std::vector<Candidate>> Found; ///< of each writer
  std::vector<Candidate> Taken;
  std::vector<ChunkContent> Contents;
  std::vector<std::vector<uint8_t>> Copies;
  DrainRecord Next{};
  uint64_t Malformed = 0;
};

} // namespace instantrace
