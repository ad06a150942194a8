/// \file
/// Buffers in this process's memory for the tests of runtime/shm, and what they
/// are run over: all page sizes, all layouts.
#pragma once

#include "runtime/shm/ChunkReader.h"
#include "runtime/shm/SharedMemoryAbi.h"

#include <cstring>
#include <string>
#include <vector>

namespace instantrace::test {

inline constexpr size_t PageSizes[] = {4096, 8192, 16384, 32768, 65536};
inline constexpr PageLayout Layouts[] = {PageLayout::Div1, PageLayout::Div2,
                                         PageLayout::Div4, PageLayout::Div7,
                                         PageLayout::Div14};

inline std::string nameOf(size_t PageSizeBytes, PageLayout Layout) {
  return std::to_string(PageSizeBytes / 1024) + "KiBDiv" +
         std::to_string(chunksPerPage(Layout));
}

using Bytes = std::vector<uint8_t>;

/// Zeroed pages, and the ABI over them.
class TestBuffer {
public:
  TestBuffer(size_t PageSizeBytes, size_t PageCount,
             SharedMemoryAbi::Mode M = SharedMemoryAbi::Mode::Shared)
      : Memory(PageSizeBytes * PageCount / sizeof(uint64_t)) {
    Abi.initialize(data(), PageSizeBytes, PageCount, M);
  }
  uint8_t *data() { return reinterpret_cast<uint8_t *>(Memory.data()); }
  size_t sizeBytes() const { return Memory.size() * sizeof(uint64_t); }
  Bytes bytes() { return Bytes(data(), data() + sizeBytes()); }
  PageHeader *page(size_t Page) {
    return reinterpret_cast<PageHeader *>(data() + Page * Abi.pageSizeBytes());
  }
  void setWord(size_t Page, uint32_t Word) { page(Page)->Word.store(Word); }

  SharedMemoryAbi Abi;

private:
  std::vector<uint64_t> Memory;
};

inline uint32_t wordOf(PageLayout Layout) {
  return static_cast<uint32_t>(Layout) << PageLayoutShift;
}
inline uint32_t wordOf(ChunkState State, unsigned Index) {
  return static_cast<uint32_t>(State) << Index * ChunkStateBits;
}

/// Bit i: chunk i of the page's layout is not free.
inline uint32_t usedChunks(const SharedMemoryAbi &Abi, size_t Page) {
  unsigned Chunks = chunksPerPage(Abi.pageLayout(Page));
  return ~Abi.freeChunks(Page) & ((uint32_t(1) << Chunks) - 1);
}

/// xorshift: the same numbers everywhere.
class Random {
public:
  explicit Random(uint64_t Seed) : X(Seed * 0x9E3779B97F4A7C15U + 1) {}
  uint64_t next() {
    X ^= X << 13;
    X ^= X >> 7;
    X ^= X << 17;
    return X;
  }
  /// Below \p Limit, which is not 0.
  size_t below(size_t Limit) { return next() % Limit; }
  Bytes bytes(size_t Count) {
    Bytes Result(Count);
    for (uint8_t &B : Result)
      B = static_cast<uint8_t>(next());
    return Result;
  }

private:
  uint64_t X;
};

} // namespace instantrace::test
