/// \file
/// The bytes that a producer and a reader of the buffer agree on.
///
/// Layout: one page so far, of one chunk; a chunk is a header and a payload
///         that holds records back to back.
///
///   page    | PageHeader | chunk header | payload ...                       |
///   payload | record | record | record |<- CommittedBytes   (unwritten)     |
///
/// The chunk's state is two bits in the page header's word:
///
///   Free --acquire--> BeingWritten --release--> Complete --drain--> Free
///
/// A reader may use payload bytes [0, CommittedBytes) at any time, in any state
/// but Free: every record is committed by one release store when it is whole.
/// Threads: one writer. Source: Perfetto's SharedMemoryABI (page header bitmap,
///          chunk states)
#ifndef INSTANTRACE_RUNTIME_SHM_SHAREDMEMORYABI_H
#define INSTANTRACE_RUNTIME_SHM_SHAREDMEMORYABI_H

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace instantrace {

enum class ChunkState : uint32_t {
  Free = 0,         ///< nobody's; zeroed memory is free
  BeingWritten = 1, ///< the writer's
  BeingRead = 2,    ///< a reader's
  Complete = 3,     ///< full or given up by its writer, not yet read
};

/// Bits 28..30 of the word: how the page is cut into chunks.
enum class PageLayout : uint32_t {
  NotPartitioned = 0,
  Div1 = 1,
};

struct PageHeader {
  std::atomic<uint32_t> Word;
  uint32_t Reserved;
};
static_assert(sizeof(PageHeader) == 8, "shared-memory ABI");
static_assert(std::atomic<uint32_t>::is_always_lock_free,
              "another process maps this word");

struct ChunkHeader {
  std::atomic<uint32_t>
      CommittedBytes; ///< payload bytes that are whole records
  uint32_t Sequence;  ///< of this chunk, counted by its writer
  uint16_t WriterId;
  uint16_t Flags;
  uint32_t Reserved;
};
static_assert(sizeof(ChunkHeader) == 16, "shared-memory ABI");

inline constexpr unsigned PageLayoutShift = 28;
inline constexpr uint32_t ChunkStateMask = 3;
inline constexpr size_t PageSizeBytes = size_t(64) * 1024;
inline constexpr size_t ChunkPayloadBytes =
    PageSizeBytes - sizeof(PageHeader) - sizeof(ChunkHeader);

} // namespace instantrace

#endif
