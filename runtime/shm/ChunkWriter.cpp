#include "runtime/shm/ChunkWriter.h"

#include <algorithm>
#include <cstring>
#include <ctime>

namespace instantrace {

namespace {

constexpr PageLayout LayoutsBySize[] = {PageLayout::Div14, PageLayout::Div7,
                                        PageLayout::Div4, PageLayout::Div2,
                                        PageLayout::Div1};

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

PageLayout ChunkSource::layoutFor(uint32_t Filled, size_t RecordBytes) const {
  size_t Wanted = 2 * std::max<size_t>(P.WriterCount, 1);
  PageLayout Chosen = PageLayout::Div14;
  for (PageLayout Layout : LayoutsBySize) {
    if (Layout != PageLayout::Div14 &&
        Buffer.pageCount() * chunksPerPage(Layout) < Wanted)
      break;
    Chosen = Layout;
    bool HoldsRecord = chunkSizeBytes(Buffer.pageSizeBytes(), Layout) >=
                       sizeof(ChunkHeader) + RecordBytes;
    if (Filled == 0 && HoldsRecord)
      break;
    Filled -= Filled != 0;
  }
  return Chosen;
}

Chunk ChunkSource::tryAcquireFrom(size_t Page, ChunkIdentity Identity) {
  for (uint32_t Free = Buffer.freeChunks(Page); Free != 0; Free &= Free - 1) {
    auto Index = static_cast<unsigned>(__builtin_ctz(Free));
    Chunk C = Buffer.tryAcquireChunkForWriting(Page, Index, Identity);
    if (C.isValid())
      return C;
  }
  return {};
}

Chunk ChunkSource::tryAcquireWanted(ChunkIdentity Identity, PageLayout Wanted) {
  // Where a writer of this size was last: that page has free chunks, or one of
  // the next pages is free. With one place for all, writers of different sizes
  // would cut a page for every chunk; with a search of all pages for the size
  // before any is cut, every chunk would cost a look at every page.
  size_t &Next = NextPage[static_cast<size_t>(Wanted)];
  size_t Count = Buffer.pageCount();
  for (size_t I = 0, Page = Next; I != Count; ++I, ++Page) {
    if (Page == Count)
      Page = 0;
    if (Buffer.isPageFree(Page))
      Buffer.tryPartitionPage(Page, Wanted);
    if (Buffer.pageLayout(Page) != Wanted)
      continue;
    Chunk C = tryAcquireFrom(Page, Identity);
    if (!C.isValid())
      continue;
    Next = Page;
    return C;
  }
  return {};
}

Chunk ChunkSource::tryAcquire(ChunkIdentity Identity, PageLayout Wanted) {
  if (Chunk C = tryAcquireWanted(Identity, Wanted); C.isValid())
    return C;
  for (size_t Page = 0; Page != Buffer.pageCount(); ++Page)
    if (Chunk C = tryAcquireFrom(Page, Identity); C.isValid())
      return C;
  return {};
}

Chunk ChunkSource::waitForChunk(ChunkIdentity Identity, PageLayout Wanted,
                                Waiting &How) {
  ++Waits;
  uint64_t BeginNs = nowNs(), TimeNs = BeginNs;
  uint64_t EndNs = BeginNs + uint64_t(P.WaitLimitMs) * 1'000'000;
  Chunk C;
  unsigned Pauses = 0;
  // Short at first: a collector that is awake needs microseconds.
  for (uint64_t SleepNs = 20'000; !C.isValid() && TimeNs < EndNs;
       SleepNs = std::min<uint64_t>(SleepNs * 2, 2'000'000)) {
    if (P.Wait)
      How = P.Wait(Context, Pauses++);
    if (How != Waiting::GoOn)
      break;
    timespec Pause = {0, static_cast<long>(std::min(SleepNs, EndNs - TimeNs))};
    ::nanosleep(&Pause, nullptr);
    C = tryAcquire(Identity, Wanted);
    TimeNs = nowNs();
  }
  WaitedNs += TimeNs - BeginNs;
  return C;
}

Chunk ChunkSource::acquire(ChunkIdentity Identity, PageLayout Wanted) {
  if (IsStopped)
    return {};
  if (P.Full == WhenFull::WaitThenDrain) {
    Waiting How = Waiting::GoOn;
    Chunk C = tryAcquire(Identity, Wanted);
    if (!C.isValid() &&
        WaitedNs < uint64_t(P.WaitLimitCount) * P.WaitLimitMs * 1'000'000)
      C = waitForChunk(Identity, Wanted, How);
    if (C.isValid()) {
      if (P.Announce)
        P.Announce(Context);
      return C;
    }
    if (How != Waiting::NotNow)
      P.Full = WhenFull::Drain; // the collector is lost, or useless
  }
  if (P.Full != WhenFull::Drop && Drain && !IsDrainLost) {
    if (Chunk C = tryAcquireWanted(Identity, Wanted); C.isValid())
      return C;
    // A drain costs less than the batches of a trace made of small chunks. A
    // reader may keep what follows a gap until it is asked again.
    for (unsigned Attempt = 0; Attempt != 2 && !IsDrainLost; ++Attempt) {
      ++Drains;
      IsDrainLost = !Drain(Context);
      if (Chunk C = tryAcquire(Identity, Wanted); C.isValid())
        return C;
    }
    return {};
  }
  return tryAcquire(Identity, Wanted);
}

bool ChunkWriter::acquire(uint16_t Flags, size_t RecordBytes) {
  Current = Source.acquire({NextSequence, WriterId, Flags},
                           Source.layoutFor(Filled, RecordBytes));
  if (!Current.isValid()) {
    Cursor = Limit = nullptr;
    return false;
  }
  ++NextSequence;
  Cursor = Current.payload();
  Limit = Cursor + Current.payloadSizeBytes() - MaxRecordBytes + 1;
  return true;
}

void ChunkWriter::complete() {
  if (!Cursor)
    return;
  // A chunk counts as filled when it is full or half of it is used, by
  // whoever chose the moment; one that a drain cuts short says nothing about
  // the load.
  auto Used = static_cast<size_t>(Cursor - Current.payload());
  Filled += Cursor >= Limit || Used >= Current.payloadSizeBytes() / 2;
  Source.buffer().releaseChunkAsComplete(Current);
  Cursor = Limit = nullptr;
}

uint8_t *ChunkWriter::openChunk() {
  complete();
  return acquire(0, MaxRecordBytes) ? Cursor : nullptr;
}

bool ChunkWriter::append(const void *Data, size_t SizeBytes) {
  const auto *Bytes = static_cast<const uint8_t *>(Data);
  // A record begins where it can end as well, or else in a chunk of its own. So
  // no chunk has parts of two records, and a reader that takes whole records
  // keeps back no other record's bytes with a part.
  if (!Cursor ||
      SizeBytes > Current.payloadSizeBytes() -
                      static_cast<size_t>(Cursor - Current.payload())) {
    complete();
    if (!acquire(0, SizeBytes))
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
    if (!acquire(ContinuesFromPrevious, SizeBytes))
      return false;
  }
}

} // namespace instantrace
