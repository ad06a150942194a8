/// \file
/// The bytes that a producer and a reader of the buffer agree on, and the only
/// code that changes the state of a chunk.
///
/// Layout: the buffer is pages of 4 to 64 KiB; a page is cut into 1, 2, 4, 7 or
///         14 chunks of equal size; a chunk holds records of one writer.
///
///   page        | PageHeader | chunk 0 | chunk 1 | ... | (rest, unused) |
///   chunk       | ChunkHeader | payload                                  |
///   payload     | record | record | record |<- CommittedBytes   (unwritten)
///
///   header word, one per page, 32 bits, little-endian:
///     31 30  28 27 26                        3 2 1 0
///     | 0 |layout| chunk 13 |   ...   | chunk 1 | chunk 0 |
///
/// A chunk's state is its two bits:
///
///         acquire for writing           release as complete
///   Free ---------------------> BeingWritten ------------> Complete
///    ^ ^                                                    |   |
///    | +------------- release as free, in emulation --------+   | acquire
///    |                                                          | for reading
///    +----- release as free ----- BeingRead <-------------------+
///
/// When the last chunk of a page becomes free, the page is unpartitioned by the
/// same store. Zeroed memory is a buffer of free, unpartitioned pages. Wherever
/// any layout has a chunk header, free memory has 0 for CommittedBytes: so does
/// a chunk whose writer is killed before it has written the header, although
/// there were payload bytes in that place while the page was cut otherwise.
///
/// A reader may use payload bytes [0, CommittedBytes) in any state but Free:
/// each record is committed by one release store when it is whole, so a writer
/// that is killed loses at most the record it was writing. A record that does
/// not fit into a chunk is cut into fragments (ChunkFlag).
///
/// Threads: any number of writers and readers, in any number of processes; a
///          chunk has one owner at a time. No locks, and no loop without bound
/// Errors:  an impossible transition is refused and changes nothing. The other
///          side is hostile: what is read from the buffer is checked against
///          what this process knows (its own sizes), never the other way round
/// Owns:    nothing; the memory must outlive it
/// Source:  Perfetto SharedMemoryABI (page header bitmap, layouts, states);
///          ours are the commit per record and the offsets that let fragments
///          be joined without looking into records
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace instantrace {

/// Of everything in this file and in BufferHeader.h.
inline constexpr uint32_t SharedMemoryAbiVersion = 1;

enum class ChunkState : uint32_t {
  Free = 0,         ///< nobody's; zeroed memory is free
  BeingWritten = 1, ///< its writer's
  BeingRead = 2,    ///< a reader's
  Complete = 3,     ///< full or given up by its writer, not yet read
};

/// Numbers 6 and 7 are reserved.
enum class PageLayout : uint32_t {
  NotPartitioned = 0,
  Div1 = 1,
  Div2 = 2,
  Div4 = 3,
  Div7 = 4,
  Div14 = 5,
};

inline constexpr unsigned MaxChunksPerPage = 14;
inline constexpr unsigned PageLayoutShift = 28;
inline constexpr uint32_t PageLayoutMask = 0x70000000;
inline constexpr unsigned ChunkStateBits = 2;
inline constexpr uint32_t ChunkStateMask = 3;

inline constexpr size_t MinPageSizeBytes = size_t(4) * 1024;
inline constexpr size_t MaxPageSizeBytes = size_t(64) * 1024;

struct PageHeader {
  std::atomic<uint32_t> Word;
  uint32_t Reserved; ///< 0
};

/// What a writer says about a chunk when it acquires it.
struct ChunkIdentity {
  uint32_t Sequence = 0; ///< counted by each writer, from 1; wraps to 0
  uint16_t WriterId = 0; ///< from 1
  uint16_t Flags = 0;    ///< ChunkFlag
};

enum ChunkFlag : uint16_t {
  /// The payload begins with the rest of the record that the writer's chunk
  /// before this one could not hold; FirstRecordOffset is where that rest ends.
  ContinuesFromPrevious = 1,
  /// The record at LastRecordOffset goes on in the writer's next chunk.
  ContinuesOnNext = 2,
};

struct ChunkHeader {
  /// Payload bytes that are whole records or fragments.
  std::atomic<uint32_t> CommittedBytes;
  std::atomic<uint32_t> Sequence;
  std::atomic<uint16_t> WriterId;
  std::atomic<uint16_t> Flags;
  /// With ContinuesFromPrevious: payload bytes that belong to that record.
  std::atomic<uint16_t> FirstRecordOffset;
  /// With ContinuesOnNext: payload offset at which that record begins, 0 when
  /// it began in an earlier chunk.
  std::atomic<uint16_t> LastRecordOffset;
};

static_assert(sizeof(PageHeader) == 8 && alignof(PageHeader) == 4,
              "shared-memory ABI: bump SharedMemoryAbiVersion");
static_assert(sizeof(ChunkHeader) == 16 && alignof(ChunkHeader) == 4,
              "shared-memory ABI: bump SharedMemoryAbiVersion");
static_assert(offsetof(ChunkHeader, CommittedBytes) == 0 &&
                  offsetof(ChunkHeader, Sequence) == 4 &&
                  offsetof(ChunkHeader, WriterId) == 8 &&
                  offsetof(ChunkHeader, Flags) == 10 &&
                  offsetof(ChunkHeader, FirstRecordOffset) == 12 &&
                  offsetof(ChunkHeader, LastRecordOffset) == 14,
              "shared-memory ABI: bump SharedMemoryAbiVersion");
static_assert(std::atomic<uint32_t>::is_always_lock_free &&
                  std::atomic<uint16_t>::is_always_lock_free,
              "another process maps these");
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "the buffer is little-endian");

/// Chunks of a page; 0 for NotPartitioned and for the reserved numbers.
constexpr unsigned chunksPerPage(PageLayout Layout) {
  switch (Layout) {
  case PageLayout::NotPartitioned:
    return 0;
  case PageLayout::Div1:
    return 1;
  case PageLayout::Div2:
    return 2;
  case PageLayout::Div4:
    return 4;
  case PageLayout::Div7:
    return 7;
  case PageLayout::Div14:
    return 14;
  }
  return 0;
}

/// Bytes of a chunk, its header included; 0 where chunksPerPage() is 0. A
/// multiple of 8.
constexpr size_t chunkSizeBytes(size_t PageSizeBytes, PageLayout Layout) {
  unsigned Chunks = chunksPerPage(Layout);
  return Chunks == 0
             ? 0
             : ((PageSizeBytes - sizeof(PageHeader)) / Chunks) & ~size_t(7);
}
static_assert(chunkSizeBytes(4096, PageLayout::Div14) == 288 &&
                  chunkSizeBytes(65536, PageLayout::Div1) == 65528,
              "shared-memory ABI: bump SharedMemoryAbiVersion");

constexpr bool isValidPageSize(size_t PageSizeBytes) {
  return PageSizeBytes >= MinPageSizeBytes &&
         PageSizeBytes <= MaxPageSizeBytes &&
         (PageSizeBytes & (PageSizeBytes - 1)) == 0;
}

/// A chunk in memory: a pointer and a size, with no say in its state.
class Chunk {
public:
  Chunk() = default; ///< no chunk
  bool isValid() const { return Begin != nullptr; }
  ChunkHeader *header() const { return reinterpret_cast<ChunkHeader *>(Begin); }
  uint8_t *payload() const { return Begin + sizeof(ChunkHeader); }
  /// By this process's knowledge of the layout, whatever the buffer says.
  uint32_t payloadSizeBytes() const {
    return SizeBytes - static_cast<uint32_t>(sizeof(ChunkHeader));
  }

private:
  friend class SharedMemoryAbi;
  Chunk(uint8_t *Begin, uint32_t SizeBytes)
      : Begin(Begin), SizeBytes(SizeBytes) {}
  uint8_t *Begin = nullptr;
  uint32_t SizeBytes = 0;
};

class SharedMemoryAbi {
public:
  /// In emulation there is no other process: a complete chunk is released as
  /// free without being acquired for reading.
  enum class Mode : uint8_t { Shared, Emulation };

  SharedMemoryAbi() = default;
  /// \p Pages is aligned to 8 and holds \p PageCount pages, which are free or
  /// were left so by another process. Returns false, and stays unusable, when
  /// the page size is not valid or there is no page.
  bool initialize(uint8_t *Pages, size_t PageSizeBytes, size_t PageCount,
                  Mode M);
  bool isValid() const { return Pages != nullptr; }

  size_t pageCount() const { return PageCount; }
  size_t pageSizeBytes() const { return PageSizeBytes; }
  Mode mode() const { return M; }

  // Transitions. Each is one successful compare-exchange; false or an invalid
  // chunk: the state was another one, or changed more often than one can
  // believe in, and nothing was done.

  /// NotPartitioned -> \p Layout, with all chunks free.
  bool tryPartitionPage(size_t Page, PageLayout Layout);
  /// Free -> BeingWritten. The header says who writes and that nothing is
  /// committed yet before the call returns.
  Chunk tryAcquireChunkForWriting(size_t Page, unsigned Index,
                                  ChunkIdentity Identity);
  /// BeingWritten -> Complete.
  bool releaseChunkAsComplete(Chunk C);
  /// Complete -> BeingRead. Not in emulation.
  Chunk tryAcquireChunkForReading(size_t Page, unsigned Index);
  /// BeingRead -> Free; in emulation Complete -> Free. Clears the header
  /// before, and where headers of other layouts are. The page is unpartitioned
  /// when all its chunks are free.
  bool releaseChunkAsFree(Chunk C);

  // Queries. Advisory: another process may have changed the state meanwhile.

  uint32_t headerWord(size_t Page) const;
  PageLayout pageLayout(size_t Page) const;
  /// Free for an index that the layout does not have.
  ChunkState chunkState(size_t Page, unsigned Index) const;
  /// Bit i: chunk i of the page's layout is free (complete).
  uint32_t freeChunks(size_t Page) const;
  uint32_t completeChunks(size_t Page) const;
  bool isPageFree(size_t Page) const {
    return pageLayout(Page) == PageLayout::NotPartitioned;
  }

  /// In any state; invalid when the layout has no such chunk.
  Chunk chunk(size_t Page, unsigned Index) const;
  struct Position {
    size_t Page;
    unsigned Index;
  };
  /// Index MaxChunksPerPage: \p C is no chunk of this buffer. Says nothing
  /// about whether the page is still partitioned as it was.
  Position positionOf(Chunk C) const;

private:
  std::atomic<uint32_t> &word(size_t Page) const {
    return reinterpret_cast<PageHeader *>(Pages + Page * PageSizeBytes)->Word;
  }
  /// The size of the chunk that has changed its state; 0: none has. One of
  /// another size than \p SizeBytes, unless that is 0, is another chunk.
  uint32_t transition(size_t Page, unsigned Index, ChunkState OldState,
                      ChunkState NewState, uint32_t SizeBytes = 0);
  Chunk chunkAt(size_t Page, unsigned Index, uint32_t SizeBytes) const {
    return {Pages + Page * PageSizeBytes + sizeof(PageHeader) +
                size_t(Index) * SizeBytes,
            SizeBytes};
  }
  void clearForAnyLayout(Chunk C) const;

  uint8_t *Pages = nullptr;
  size_t PageSizeBytes = 0;
  size_t PageCount = 0;
  Mode M = Mode::Shared;
};

/// What the two bits of chunk \p Index say in \p HeaderWord. Requires: \p Index
/// is below 16.
constexpr ChunkState chunkStateIn(uint32_t HeaderWord, unsigned Index) {
  return static_cast<ChunkState>(HeaderWord >> (Index * ChunkStateBits) &
                                 ChunkStateMask);
}
constexpr PageLayout pageLayoutIn(uint32_t HeaderWord) {
  return static_cast<PageLayout>((HeaderWord & PageLayoutMask) >>
                                 PageLayoutShift);
}

} // namespace instantrace
