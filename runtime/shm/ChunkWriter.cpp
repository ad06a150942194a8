#include "runtime/shm/ChunkWriter.h"

#include <algorithm>
#include <cstring>
#include <ctime>

namespace instantrace {

namespace {

constexpr PageLayout LayoutsBySize[] = {PageLayout::Div14, PageLayout::Div7,
                                        PageLayout::Div4, PageLayout::Div2,
                                        PageLayout::Div1};
constexpr uint64_t WaitLimitsUntilDrain = 1000;

uint64_t nowNs() {
  timespec Now;
  ::clock_gettime(CLOCK_MONOTONIC, &Now);
  return static_cast<uint64_t>(Now.tv_sec) * 1'000'000'000 +
         static_cast<uint64_t>(Now.tv_nsec);
}

} // namespace

ChunkSource::ChunkSource(SharedMemoryAbi &Buffer, Policy P, DrainFunction Drain,
                         void *Context)
    : Buffer(Buffer), P(P), Drain(Drain), Context(Context) {}

PageLayout ChunkSource::layoutFor(uint32_t Filled) const {
  size_t Wanted = 2 * std::max<size_t>(P.WriterCount, 1);
  PageLayout Chosen = PageLayout::Div14;
  for (PageLayout Layout : LayoutsBySize) {
    if (Layout != PageLayout::Div14 &&
        Buffer.pageCount() * chunksPerPage(Layout) < Wanted)
      break;
    Chosen = Layout;
    if (Filled-- == 0)
      break;
  }
  return Chosen;
}

Chunk ChunkSource::tryAcquireFrom(size_t Page, ChunkIdentity Identity) {
  for (uint32_t Free = Buffer.freeChunks(Page); Free != 0; Free &= Free - 1) {
    auto Index = static_cast<unsigned>(__builtin_ctz(Free));
    Chunk C = Buffer.tryAcquireChunkForWriting(Page, Index, Identity);
    if (!C.isValid())
      continue;
    NextPage = Page;
    return C;
  }
  return {};
}

Chunk ChunkSource::tryAcquireWanted(ChunkIdentity Identity, PageLayout Wanted) {
  size_t Count = Buffer.pageCount();
  for (size_t I = 0; I != Count; ++I) {
    size_t Page = (NextPage + I) % Count;
    if (Buffer.pageLayout(Page) != Wanted)
      continue;
    if (Chunk C = tryAcquireFrom(Page, Identity); C.isValid())
      return C;
  }
  for (size_t I = 0; I != Count; ++I) {
    size_t Page = (NextPage + I) % Count;
    if (!Buffer.isPageFree(Page) || !Buffer.tryPartitionPage(Page, Wanted))
      continue;
    if (Chunk C = tryAcquireFrom(Page, Identity); C.isValid())
      return C;
  }
  return {};
}

Chunk ChunkSource::tryAcquire(ChunkIdentity Identity, PageLayout Wanted) {
  if (Chunk C = tryAcquireWanted(Identity, Wanted); C.isValid())
    return C;
  size_t Count = Buffer.pageCount();
  for (size_t I = 0; I != Count; ++I)
    if (Chunk C = tryAcquireFrom((NextPage + I) % Count, Identity); C.isValid())
      return C;
  return {};
}

Chunk ChunkSource::waitForChunk(ChunkIdentity Identity, PageLayout Wanted) {
  ++Waits;
  uint64_t BeginNs = nowNs(), TimeNs = BeginNs;
  uint64_t EndNs = BeginNs + uint64_t(P.WaitLimitMs) * 1'000'000;
  Chunk C;
  // Short at first: a collector that is awake needs microseconds.
  for (uint64_t SleepNs = 20'000; !C.isValid() && TimeNs < EndNs;
       SleepNs = std::min<uint64_t>(SleepNs * 2, 2'000'000)) {
    timespec Pause = {0, static_cast<long>(std::min(SleepNs, EndNs - TimeNs))};
    ::nanosleep(&Pause, nullptr);
    C = tryAcquire(Identity, Wanted);
    TimeNs = nowNs();
  }
  WaitedNs += TimeNs - BeginNs;
  return C;
}

Chunk ChunkSource::acquire(ChunkIdentity Identity, PageLayout Wanted) {
  if (P.Full == WhenFull::Drain && Drain && !IsDrainLost) {
    if (Chunk C = tryAcquireWanted(Identity, Wanted); C.isValid())
      return C;
    // A drain costs less than the batches of a trace made of small chunks.
    ++Drains;
    IsDrainLost = !Drain(Context);
  }
  if (Chunk C = tryAcquire(Identity, Wanted); C.isValid())
    return C;
  if (P.Full == WhenFull::WaitThenDrain) {
    if (WaitedNs < WaitLimitsUntilDrain * P.WaitLimitMs * 1'000'000)
      if (Chunk C = waitForChunk(Identity, Wanted); C.isValid())
        return C;
    P.Full = WhenFull::Drain; // the collector is lost, or useless
  }
  if (P.Full != WhenFull::Drain || !Drain)
    return {};
  // A reader may keep what follows a gap until it is asked again.
  for (unsigned Attempt = 0; Attempt != 2 && !IsDrainLost; ++Attempt) {
    ++Drains;
    IsDrainLost = !Drain(Context);
    if (Chunk C = tryAcquire(Identity, Wanted); C.isValid())
      return C;
  }
  return {};
}

bool ChunkWriter::acquire(uint16_t Flags) {
  Current =
      Source.acquire({NextSequence, WriterId, Flags}, Source.layoutFor(Filled));
  if (!Current.isValid()) {
    Cursor = Limit = nullptr;
    return false;
  }
  ++NextSequence;
  Cursor = Current.payload();
  Limit = Cursor + Current.payloadSizeBytes() - MaxRecordBytes;
  return true;
}

void ChunkWriter::complete() {
  if (!Cursor)
    return;
  // A chunk counts as filled when it is full or three quarters are used, by
  // whoever chose the moment; one that a drain cuts short says nothing about
  // the load.
  auto Used = static_cast<size_t>(Cursor - Current.payload());
  Filled += Cursor > Limit || Used >= Current.payloadSizeBytes() / 4 * 3;
  Source.buffer().releaseChunkAsComplete(Current);
  Cursor = Limit = nullptr;
}

uint8_t *ChunkWriter::openChunk() {
  complete();
  return acquire(0) ? Cursor : nullptr;
}

bool ChunkWriter::append(const void *Data, size_t SizeBytes) {
  const auto *Bytes = static_cast<const uint8_t *>(Data);
  // A fragment of no bytes would say nothing and cost the whole record when
  // there is no next chunk.
  bool IsFull =
      Cursor && Cursor == Current.payload() + Current.payloadSizeBytes();
  if ((!Cursor || (IsFull && SizeBytes != 0)) && !openChunk()) {
    ++Dropped;
    return false;
  }
  bool IsFirst = true;
  while (true) {
    ChunkHeader *Header = Current.header();
    auto Offset = static_cast<size_t>(Cursor - Current.payload());
    size_t Room = Current.payloadSizeBytes() - Offset;
    size_t Part = std::min(Room, SizeBytes);
    if (Part != 0)
      std::memcpy(Cursor, Bytes, Part);
    if (!IsFirst)
      Header->FirstRecordOffset.store(static_cast<uint16_t>(Part),
                                      std::memory_order_relaxed);
    if (Part == SizeBytes) {
      commit(Cursor + Part);
      return true;
    }
    // The fragment becomes visible with the commit, and with it that it is one.
    // Until then both fields speak of a record of which there is nothing yet.
    Header->LastRecordOffset.store(IsFirst ? static_cast<uint16_t>(Offset)
                                           : uint16_t(0),
                                   std::memory_order_relaxed);
    Header->Flags.store(
        static_cast<uint16_t>((IsFirst ? 0 : ContinuesFromPrevious) |
                              ContinuesOnNext |
                              Header->Flags.load(std::memory_order_relaxed)),
        // Release: after LastRecordOffset, for who reads what a dead writer
        // has left; the flag without it would make one fragment of all records.
        std::memory_order_release);
    commit(Cursor + Part);
    Bytes += Part;
    SizeBytes -= Part;
    complete();
    IsFirst = false;
    if (!acquire(ContinuesFromPrevious)) {
      ++Dropped;
      return false;
    }
  }
}

} // namespace instantrace
