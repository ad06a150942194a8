/// \file
/// Puts records into a chunk without ever waiting for a reader.
///
/// Flow:    Recorder -> ChunkWriter => chunk => drain -> TraceWriter
/// Layout:  runtime/shm/SharedMemoryAbi.h
/// Threads: one writer
/// Errors:  none; a full chunk is drained in-process, which loses nothing
/// Owns:    its page, an anonymous mapping (private memory if that fails)
/// Source:  Perfetto SharedMemoryABI (chunk states)
#ifndef INSTANTRACE_RUNTIME_SHM_CHUNKWRITER_H
#define INSTANTRACE_RUNTIME_SHM_CHUNKWRITER_H

#include "runtime/shm/SharedMemoryAbi.h"

#include <cstddef>
#include <cstdint>

namespace instantrace {

class ChunkWriter {
public:
  /// No record is longer: a head, six varints of at most ten bytes, and slack.
  static constexpr size_t MaxRecordBytes = 80;

  /// Receives the payload of a complete chunk; called by reserve() and flush().
  /// It must not call back into the writer.
  using DrainFunction = void (*)(void *Context, const uint8_t *Data,
                                 size_t SizeBytes);

  ChunkWriter(DrainFunction Drain, void *Context);
  ~ChunkWriter();
  ChunkWriter(const ChunkWriter &) = delete;
  ChunkWriter &operator=(const ChunkWriter &) = delete;

  /// Room for one record. The pointer is good until the next commit().
  uint8_t *reserve() {
    if (UsedBytes + MaxRecordBytes > ChunkPayloadBytes)
      flush();
    if (UsedBytes == 0)
      acquire();
    return Payload + UsedBytes;
  }

  /// Commits what was written from reserve()'s pointer up to \p End.
  void commit(const uint8_t *End) {
    UsedBytes = static_cast<uint32_t>(End - Payload);
    // Release: the record's bytes are visible before the new length. Pairs with
    // the acquire load of whoever reads the chunk, be it after our death.
    Header->CommittedBytes.store(UsedBytes, std::memory_order_release);
  }

  /// Drains what is committed. Afterwards the chunk is free.
  void flush();

  bool empty() const { return UsedBytes == 0; }

private:
  void acquire();
  void setState(ChunkState State);

  void *Mapping;
  PageHeader *Page;
  ChunkHeader *Header;
  uint8_t *Payload;
  uint32_t UsedBytes = 0;
  uint32_t NextSequence = 0;
  bool IsMapped;
  DrainFunction Drain;
  void *Context;
};

} // namespace instantrace

#endif
