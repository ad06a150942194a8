#include "runtime/shm/SharedMemoryAbi.h"

#include <algorithm>

/// A place where a test may have another thread or process do something first
/// (test/unit/ShmRaceTest.cpp). Nothing in a build that is used.
#ifndef INSTANTRACE_SHM_TEST_SEAM
#define INSTANTRACE_SHM_TEST_SEAM(Point)
#endif

namespace instantrace {

namespace {

/// A failed compare-exchange means that another chunk of the page changed its
/// state, of which a page has 14. Whoever sees more than this is being played
/// with.
constexpr unsigned MaxAttempts = 1024;

constexpr PageLayout PartitionedLayouts[] = {PageLayout::Div1, PageLayout::Div2,
                                             PageLayout::Div4, PageLayout::Div7,
                                             PageLayout::Div14};

constexpr uint32_t chunksMask(PageLayout Layout) {
  unsigned Chunks = chunksPerPage(Layout);
  return (uint32_t(1) << Chunks * ChunkStateBits) - 1;
}

} // namespace

bool SharedMemoryAbi::initialize(uint8_t *Memory, size_t PageSize, size_t Count,
                                 Mode OfMemory) {
  if (!Memory || reinterpret_cast<uintptr_t>(Memory) % 8 != 0 ||
      !isValidPageSize(PageSize) || Count == 0)
    return false;
  Pages = Memory;
  PageSizeBytes = PageSize;
  PageCount = Count;
  M = OfMemory;
  return true;
}

uint32_t SharedMemoryAbi::headerWord(size_t Page) const {
  // Acquire: who sees a chunk complete sees its header and payload. Pairs with
  // the compare-exchange in transition().
  return Page < PageCount ? word(Page).load(std::memory_order_acquire) : 0;
}

PageLayout SharedMemoryAbi::pageLayout(size_t Page) const {
  return pageLayoutIn(headerWord(Page));
}

ChunkState SharedMemoryAbi::chunkState(size_t Page, unsigned Index) const {
  uint32_t Word = headerWord(Page);
  return Index < chunksPerPage(pageLayoutIn(Word)) ? chunkStateIn(Word, Index)
                                                   : ChunkState::Free;
}

uint32_t SharedMemoryAbi::freeChunks(size_t Page) const {
  uint32_t Word = headerWord(Page), Mask = 0;
  for (unsigned I = 0; I != chunksPerPage(pageLayoutIn(Word)); ++I)
    Mask |= uint32_t(chunkStateIn(Word, I) == ChunkState::Free) << I;
  return Mask;
}

uint32_t SharedMemoryAbi::completeChunks(size_t Page) const {
  uint32_t Word = headerWord(Page), Mask = 0;
  for (unsigned I = 0; I != chunksPerPage(pageLayoutIn(Word)); ++I)
    Mask |= uint32_t(chunkStateIn(Word, I) == ChunkState::Complete) << I;
  return Mask;
}

Chunk SharedMemoryAbi::chunk(size_t Page, unsigned Index) const {
  if (Page >= PageCount)
    return {};
  PageLayout Layout = pageLayout(Page);
  if (Index >= chunksPerPage(Layout))
    return {};
  return chunkAt(Page, Index,
                 static_cast<uint32_t>(chunkSizeBytes(PageSizeBytes, Layout)));
}

SharedMemoryAbi::Position SharedMemoryAbi::positionOf(Chunk C) const {
  constexpr Position None{0, MaxChunksPerPage};
  auto Address = reinterpret_cast<uintptr_t>(C.Begin);
  auto First = reinterpret_cast<uintptr_t>(Pages);
  if (!C.isValid() || Address < First ||
      Address - First >= PageCount * PageSizeBytes)
    return None;
  size_t Page = (Address - First) / PageSizeBytes;
  size_t InPage = (Address - First) % PageSizeBytes;
  // The chunk's own size and not the page's layout: the other side may have
  // written another one there.
  if (InPage < sizeof(PageHeader) || C.SizeBytes == 0 ||
      (InPage - sizeof(PageHeader)) % C.SizeBytes != 0)
    return None;
  size_t Index = (InPage - sizeof(PageHeader)) / C.SizeBytes;
  return Index < MaxChunksPerPage ? Position{Page, static_cast<unsigned>(Index)}
                                  : None;
}

bool SharedMemoryAbi::tryPartitionPage(size_t Page, PageLayout Layout) {
  if (Page >= PageCount || chunksPerPage(Layout) == 0)
    return false;
  uint32_t Expected = 0;
  INSTANTRACE_SHM_TEST_SEAM(BeforePartition);
  // Release, acquire: the page was left cleared by whoever freed it.
  return word(Page).compare_exchange_strong(
      Expected, static_cast<uint32_t>(Layout) << PageLayoutShift,
      std::memory_order_acq_rel);
}

uint32_t SharedMemoryAbi::transition(size_t Page, unsigned Index,
                                     ChunkState OldState, ChunkState NewState,
                                     uint32_t SizeBytes) {
  std::atomic<uint32_t> &Word = word(Page);
  uint32_t Old = Word.load(std::memory_order_acquire);
  for (unsigned Attempt = 0; Attempt != MaxAttempts; ++Attempt) {
    PageLayout Layout = pageLayoutIn(Old);
    if (Index >= chunksPerPage(Layout) || chunkStateIn(Old, Index) != OldState)
      return 0;
    auto Size = static_cast<uint32_t>(chunkSizeBytes(PageSizeBytes, Layout));
    if (SizeBytes != 0 && Size != SizeBytes)
      return 0;
    unsigned Shift = Index * ChunkStateBits;
    uint32_t New = (Old & ~(ChunkStateMask << Shift)) |
                   static_cast<uint32_t>(NewState) << Shift;
    if ((New & chunksMask(Layout)) == 0)
      New = 0; // all free: the page may be partitioned again
    INSTANTRACE_SHM_TEST_SEAM(BeforeExchange);
    // Release: the header and payload that the new state speaks of are visible
    // with it. Acquire: what the state before speaks of is visible to us. Each
    // pairs with the other in another process's or thread's transition().
    if (Word.compare_exchange_weak(Old, New, std::memory_order_acq_rel,
                                   std::memory_order_acquire))
      return Size;
  }
  return 0;
}

Chunk SharedMemoryAbi::tryAcquireChunkForWriting(size_t Page, unsigned Index,
                                                 ChunkIdentity Identity) {
  if (Page >= PageCount)
    return {};
  uint32_t Size =
      transition(Page, Index, ChunkState::Free, ChunkState::BeingWritten);
  if (Size == 0)
    return {};
  Chunk C = chunkAt(Page, Index, Size);
  INSTANTRACE_SHM_TEST_SEAM(BeforeIdentity);
  ChunkHeader *Header = C.header();
  Header->WriterId.store(Identity.WriterId, std::memory_order_relaxed);
  Header->Flags.store(Identity.Flags, std::memory_order_relaxed);
  Header->FirstRecordOffset.store(0, std::memory_order_relaxed);
  Header->LastRecordOffset.store(0, std::memory_order_relaxed);
  Header->Sequence.store(Identity.Sequence, std::memory_order_relaxed);
  // Release: who sees bytes committed sees whose they are.
  Header->CommittedBytes.store(0, std::memory_order_release);
  return C;
}

bool SharedMemoryAbi::releaseChunkAsComplete(Chunk C) {
  Position P = positionOf(C);
  return P.Index < MaxChunksPerPage &&
         transition(P.Page, P.Index, ChunkState::BeingWritten,
                    ChunkState::Complete, C.SizeBytes) != 0;
}

Chunk SharedMemoryAbi::tryAcquireChunkForReading(size_t Page, unsigned Index) {
  if (M == Mode::Emulation || Page >= PageCount)
    return {};
  uint32_t Size =
      transition(Page, Index, ChunkState::Complete, ChunkState::BeingRead);
  return Size == 0 ? Chunk() : chunkAt(Page, Index, Size);
}

void SharedMemoryAbi::clearForAnyLayout(Chunk C) const {
  ChunkHeader *Header = C.header();
  // The length first: without one, nobody looks at what is cleared after it.
  Header->CommittedBytes.store(0, std::memory_order_relaxed);
  Header->Sequence.store(0, std::memory_order_release);
  Header->WriterId.store(0, std::memory_order_relaxed);
  Header->Flags.store(0, std::memory_order_relaxed);
  Header->FirstRecordOffset.store(0, std::memory_order_relaxed);
  Header->LastRecordOffset.store(0, std::memory_order_relaxed);
  // A length is 4 bytes at a multiple of 8, and chunks are multiples of 8: the
  // neighbours' bytes are not touched.
  auto Begin =
      static_cast<size_t>(C.Begin - Pages) % PageSizeBytes - sizeof(PageHeader);
  for (PageLayout Layout : PartitionedLayouts) {
    size_t Size = chunkSizeBytes(PageSizeBytes, Layout);
    size_t End = std::min(Begin + C.SizeBytes, Size * chunksPerPage(Layout));
    for (size_t Index = (Begin + Size - 1) / Size * Size; Index < End;
         Index += Size)
      reinterpret_cast<ChunkHeader *>(C.Begin + (Index - Begin))
          ->CommittedBytes.store(0, std::memory_order_release);
  }
}

bool SharedMemoryAbi::releaseChunkAsFree(Chunk C) {
  Position P = positionOf(C);
  if (P.Index >= MaxChunksPerPage)
    return false;
  ChunkState State =
      M == Mode::Emulation ? ChunkState::Complete : ChunkState::BeingRead;
  uint32_t Word = headerWord(P.Page);
  PageLayout Layout = pageLayoutIn(Word);
  if (P.Index >= chunksPerPage(Layout) ||
      chunkSizeBytes(PageSizeBytes, Layout) != C.SizeBytes ||
      chunkStateIn(Word, P.Index) != State)
    return false;
  // Before the chunk is anybody's: a stale length must not be taken for that
  // of the next writer. Made visible by the transition's release.
  clearForAnyLayout(C);
  return transition(P.Page, P.Index, State, ChunkState::Free, C.SizeBytes) != 0;
}

} // namespace instantrace
