/// \file
/// A writer with its buffer and a drain that reassembles all that it wrote.
#pragma once

#include "runtime/shm/ChunkReader.h"
#include "runtime/shm/ChunkWriter.h"
#include "test/unit/runtime/shm/ShmBuffers.h"

#include <map>

namespace instantrace::test {

/// Takes what is complete and joins it, by writer.
class Collector {
public:
  explicit Collector(SharedMemoryAbi &Buffer,
                     ChunkReader::Writers W = ChunkReader::Writers::Ours)
      : Buffer(Buffer), Reader(Buffer, W) {}

  /// As ChunkSource's drain.
  static bool drain(void *Context) {
    static_cast<Collector *>(Context)->collect();
    return true;
  }
  size_t collect() {
    ++Calls;
    WasFull = WasFull && isFull();
    size_t Count = 0;
    for (const ChunkContent &C : Reader.acquire()) {
      add(C);
      ++Count;
    }
    Reader.release();
    return Count;
  }
  void add(const ChunkContent &C) {
    Assemblers[C.WriterId].add(C, [&](const uint8_t *Data, size_t Size) {
      Bytes &Into = Got[C.WriterId];
      Into.insert(Into.end(), Data, Data + Size);
      ++Stretches;
    });
    ChunkSizes.push_back(C.SizeBytes);
  }
  void finish() {
    while (collect() != 0)
      ;
    for (auto &[Id, A] : Assemblers)
      A.finish();
  }
  bool isFull() const {
    for (size_t Page = 0; Page != Buffer.pageCount(); ++Page)
      if (Buffer.isPageFree(Page) || Buffer.freeChunks(Page) != 0)
        return false;
    return true;
  }

  SharedMemoryAbi &Buffer;
  ChunkReader Reader;
  std::map<uint16_t, RecordAssembler> Assemblers;
  std::map<uint16_t, Bytes> Got;
  std::vector<uint32_t> ChunkSizes; ///< committed bytes
  unsigned Calls = 0;
  bool WasFull = true; ///< at each call
  uint64_t Stretches = 0;
};

} // namespace instantrace::test
