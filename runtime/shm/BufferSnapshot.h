/// \file
/// A copy of a buffer at one moment, made from outside: of a compile that runs
/// or of one that died.
///
/// Flow:    buffer file | memfd | bytes -> [BufferSnapshot] -> BufferRecovery
/// Layout:  runtime/shm/BufferHeader.h, runtime/shm/SharedMemoryAbi.h
/// Threads: any; the producer does not notice
/// Errors:  a text that names place, found and expected, and says what the
///          buffer is when it is no whole one: foreign, torn, cut, of a newer
///          version. Pages that are missing are a problem and no error
///
/// The image is read with pread() and not mapped, so that a file that is cut
/// meanwhile is a short read and no SIGBUS. Every length is checked on the
/// copy. Memory and time are bounded by the image's size.
///
/// While the compile runs, a snapshot and the partial trace up to
/// PartialFileBytes are one consistent state, which may be a moment old:
///   1. the drain record in use is read, twice alike
///   2. the chunks are copied. A chunk's header is read before and after its
///      payload; when they are not of the same chunk it is copied again
///   3. the drain record is read again: it is the one that counts. Chunks up
///      to its LastSequence are left out, since FileBytes covers them; those
///      after it were not freed before it was read, only some may be missed
///   4. unless step 3 found another record than step 1, and each writer's
///      chunks follow on its LastSequence without a gap, only the last one
///      being written, all is done again, a few times
///   5. of a compile that outruns this, what follows each writer's first gap
///      or unfinished chunk is left out
/// The partial trace is read after this: it only grows, and is cut to
/// PartialFileBytes. A buffer that does not change any more keeps chunks after
/// a gap; recovery says so and decides what they are good for.
#pragma once

#include "runtime/shm/BufferHeader.h"
#include "runtime/shm/ChunkReader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

/// Where the bytes of a buffer come from.
class BufferImage {
public:
  virtual ~BufferImage() = default;
  virtual uint64_t sizeBytes() const = 0;
  /// Reads at most \p SizeBytes at \p Offset; fewer at the end or on errors.
  virtual size_t read(uint64_t Offset, void *Into, size_t SizeBytes) const = 0;
};

/// Over an open file; the descriptor stays the caller's.
class FileBufferImage final : public BufferImage {
public:
  explicit FileBufferImage(int Descriptor) : Descriptor(Descriptor) {}
  uint64_t sizeBytes() const override;
  size_t read(uint64_t Offset, void *Into, size_t SizeBytes) const override;

private:
  int Descriptor;
};

/// Over bytes that must outlive it.
class MemoryBufferImage final : public BufferImage {
public:
  explicit MemoryBufferImage(std::string_view Bytes) : Bytes(Bytes) {}
  uint64_t sizeBytes() const override { return Bytes.size(); }
  size_t read(uint64_t Offset, void *Into, size_t SizeBytes) const override;

private:
  std::string_view Bytes;
};

/// A buffer that begins like one of ours, whatever follows.
bool hasBufferMagic(std::string_view FirstBytes);

struct SnapshotWriter {
  uint16_t Id = 0;
  WriterContent Content = WriterContent::None;
  uint32_t LastDrained = 0; ///< sequence; 0: nothing was drained
};

struct SnapshotChunk {
  ChunkState State = ChunkState::Complete; ///< when it was copied
  ChunkContent Content;                    ///< Data points into Payload
  std::vector<uint8_t> Payload;
};

struct BufferSnapshot {
  uint32_t Pid = 0;
  uint64_t ProcessStartTicks = 0;
  uint64_t RealtimeNs = 0, MonotonicNs = 0;
  uint32_t SequenceId = 0;
  BufferPhase Phase = BufferPhase::MakingHeader;
  uint32_t Signal = 0;
  uint64_t AstBytes = 0;
  uint64_t PeakRssBytes = 0; ///< of the process, a moment ago; 0: not known
  uint64_t EventsDropped = 0;
  bool RanOutOfMemory = false;   ///< an allocation of the compiler failed
  std::string Pass;              ///< of the optimizer; empty: none yet
  uint64_t PartialFileBytes = 0; ///< that count in the partial trace
  std::string Session;           ///< framed packets
  std::string FinalPath, PartialPath;
  std::vector<SnapshotWriter> Writers;
  /// Not drained yet, by writer and sequence; those being written included, up
  /// to their last whole record.
  std::vector<SnapshotChunk> Chunks;
  struct Newest {
    uint32_t EntityId;
    std::string Text;
    uint32_t Name = 0; ///< of the dictionary; 0: not known yet
    uint32_t TemplateSet = 0, Kind = 0;
    uint32_t LineNo = 0; ///< of the main file, of its first event; 0: of none
  };
  std::vector<Newest> NewestEntities; ///< by id
  /// Null when the header has none of that id.
  const Newest *newestEntity(uint32_t EntityId) const;
  /// Chunks that could not be understood, for people: "page 3, chunk 1: ...".
  std::vector<std::string> Problems;
};

/// False: \p Error says why there is no snapshot, without the file's name.
bool takeSnapshot(const BufferImage &Image, BufferSnapshot &Into,
                  std::string &Error);

} // namespace instantrace
