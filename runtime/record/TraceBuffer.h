/// \file
/// The buffer of one compile: made before the first event, drained into the
/// partial trace whenever it is full, gone after a clean end, and there to be
/// recovered from after any other.
///
/// Flow:    Recorder ─▶ events() ┐
///          TraceWriter ─▶ this ─┴▶ chunks ─▶ drain() ─▶ TraceFile
/// Layout:  runtime/shm/BufferHeader.h (two writers: events, packets)
/// Order:   a drain writes packets before events, so a name that was written
///          before an event was is before it in the file
/// Collector: with TraceBufferOptions::Collector the buffer is a memfd that a
///          collector drains while the compile runs. The compile drains too:
///          when the collector is late, has died, and at the end
///          (runtime/shm/SharedDrain.h)
/// Errors:  without shared memory it works in private memory, and description()
///          says why; a file that cannot be written ends the recording, and
///          what is in the buffer stays there
/// Owns:    buffer file and partial trace, until finish(), discard(), leave()
/// Threads: one
#pragma once

#include "runtime/record/PacketSink.h"
#include "runtime/record/TraceFile.h"
#include "runtime/record/TraceWriter.h"
#include "runtime/shm/BufferHeader.h"
#include "runtime/shm/ChunkReader.h"
#include "runtime/shm/ChunkWriter.h"
#include "runtime/shm/CollectorLink.h"
#include "runtime/shm/SharedDrain.h"
#include "runtime/shm/SharedMemory.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

struct TraceBufferOptions {
  bool IsPrivate = false; ///< asked for: no shared memory
  std::string Directory;  ///< of the buffer file; empty: beside the trace
  size_t SizeBytes = size_t(256) * 1024; ///< of all pages
  WhenFull Full = WhenFull::Drain;
  /// Unix socket of a collector; empty: none. Where it cannot be had, the rest
  /// of the options says what is used.
  std::string Collector;
  bool MakesParents = false; ///< create the trace's directory if it is missing
};

class TraceBuffer final : public PacketSink {
public:
  /// \p SessionBytes: what start() will need for the session, at most.
  TraceBuffer(std::string FinalPath, const TraceBufferOptions &Options,
              size_t SessionBytes);
  ~TraceBuffer() override;

  /// "file", "memfd", "private"; with ": REASON" after it when something better
  /// was asked for and could not be had.
  const std::string &description() const { return Description; }
  /// Why a collector that was asked for is not used; empty: it is, or was not.
  const std::string &collectorFailure() const { return CollectorFailure; }

  struct Session {
    uint32_t SequenceId = 0;
    uint64_t RealtimeNs = 0, MonotonicNs = 0;
    std::string_view Packets; ///< file header and session, framed
  };
  /// Makes the header. Nothing may be recorded before.
  void start(const Session &S);

  ChunkWriter &events() { return Events; }
  /// Through the packets writer's chunks.
  bool append(std::string_view Packet) override {
    if (Shared)
      return appendShared(Packet);
    bool IsKept = Packets.append(Packet.data(), Packet.size());
    // This process alone has its begin, and a kill would take it.
    if (Assembler.isPending())
      drain();
    return IsKept;
  }
  LiveState &live() { return Header->Live; }
  /// What \p EntityId is called in short, until its name is written, and for
  /// which line of the main file it was met first; 0: for none of them.
  void noteNewestEntity(uint32_t EntityId, std::string_view ShortName,
                        uint32_t LineNo = 0);
  /// That its name and template set are in the dictionary, long before its row
  /// is written. Requires: noteNewestEntity(), and the dictionary has them.
  void noteWholeName(uint32_t EntityId, const EntityRow &Row);
  static constexpr uint32_t NewestEntityCount = 2048;
  /// Moves every complete chunk to the file, and what is open of packets.
  bool drain();
  /// The same for everything, events included.
  bool drainAll();
  /// Nothing is taken any more. For a process that no longer has the buffer to
  /// itself; it allocates nothing.
  void stop() {
    Source.stop();
    Events.abandon();
    Packets.abandon();
  }
  /// From now on what has no room is drained, whatever the policy was.
  void neverDrop() {
    if (Source.whenFull() == WhenFull::Drop)
      Source.drainFromNowOn();
  }

  /// Gives the trace its final name and removes the buffer. Requires:
  /// drainAll() after the last record. False: failure() says why.
  bool finish(bool KeepsExisting);
  /// Empty while all is well.
  const std::string &failure() const {
    return File->error().empty() ? FinishFailure : File->error();
  }
  void discard();
  /// Leaves buffer and partial trace to `instantrace recover`, or to the
  /// collector.
  void leave();
  bool hasCollector() { return Link.isAlive(); }

  const TraceFile &file() const { return *File; }
  /// What to give to `instantrace recover`; empty when nothing is left after a
  /// crash.
  std::string leftoverPath() const;
  bool isPrivate() const { return Memory.isPrivate(); }
  /// What is in the buffer is lost when this process dies.
  bool diesWithUs() {
    return Memory.isPrivate() || (Shared && !Link.isAlive());
  }
  const ChunkSource &source() const { return Source; }

private:
  struct Geometry {
    size_t HeaderBytes, PageSizeBytes, PageCount;
  };
  void makeMemory(const TraceBufferOptions &Options);
  bool makeCollected(const TraceBufferOptions &Options, size_t Bytes);
  void startShared();
  bool appendShared(std::string_view Packet);
  static Waiting waitFor(void *Self, unsigned Pause);
  static void announce(void *Self);
  /// False: the collector lives and does not let go of it.
  bool lockForDrain(unsigned LimitMs);
  bool drainShared();
  bool drainAllShared();
  bool drainLocked();
  bool finishShared(bool KeepsExisting);
  void setPhase(BufferPhase Phase);
  bool commit(bool KeepsExisting);
  static bool drainFor(void *Self) {
    return static_cast<TraceBuffer *>(Self)->drain();
  }
  bool hasRoom() const;
  /// False, with failure(): there is no memory, or not any more.
  bool isUsable();
  uint32_t drainIndex() const {
    return Header->Live.DrainIndex.load(std::memory_order_relaxed) & 1;
  }
  NewestEntity *newestSlot(uint32_t EntityId);
  void recordDrained(uint32_t LastEvents, uint32_t LastPackets);

  std::string FinalPath;
  std::string Description, CollectorFailure, FinishFailure;
  Geometry Size;
  SharedMemory Memory;
  BufferHeader NoHeader{}; ///< stands for one where there is no memory
  BufferHeader *Header = &NoHeader;
  /// Not read from the header, which somebody may write to; 0: not started.
  size_t NewestEntitiesOffset = 0;
  SharedMemoryAbi Abi;
  ChunkSource Source;
  std::optional<TraceFile>
      File; ///< made with the memory, which decides its name
  ChunkWriter Events;
  ChunkWriter Packets;
  ChunkReader Reader;
  RecordAssembler Assembler;
  std::string Pending;        ///< bytes for the file, kept for its capacity
  std::string SessionPackets; ///< until the file has them
  uint32_t SequenceId = 0;

  // With a collector.
  CollectorLink Link;
  std::optional<SharedDrain> Shared;
  bool IsLockStuck = false; ///< it was waited for in vain
  bool IsAppending = false;
  bool IsLeftToCollector = false; ///< it held the lock when all had to go
};

} // namespace instantrace
