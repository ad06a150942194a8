#include "runtime/shm/SharedDrain.h"

#include <algorithm>
#include <cstring>

/// A place where a test may end the process (test/unit/SharedDrainTest.cpp).
#ifndef INSTANTRACE_DRAIN_TEST_SEAM
#define INSTANTRACE_DRAIN_TEST_SEAM(Point)
#endif

namespace instantrace {

SharedDrain::SharedDrain(SharedMemoryAbi &Buffer, LiveState &Live,
                         DrainOwner Self,
                         std::vector<WriterDescription> WritersOfBuffer)
    : Buffer(Buffer), Live(Live), Self(Self),
      Writers(std::move(WritersOfBuffer)) {
  Writers.resize(std::min(Writers.size(), MaxWriters));
  Found.resize(Writers.size());
}

bool SharedDrain::tryLock() {
  auto Nobody = static_cast<uint32_t>(DrainOwner::Nobody);
  // Acquire: the file, the record and the chunks are as the last owner left
  // them. Pairs with unlock() in the other process.
  return Live.DrainLock.compare_exchange_strong(
      Nobody, static_cast<uint32_t>(Self), std::memory_order_acquire,
      std::memory_order_relaxed);
}

bool SharedDrain::takeOver() {
  auto Dead = static_cast<uint32_t>(Self == DrainOwner::Producer
                                        ? DrainOwner::Collector
                                        : DrainOwner::Producer);
  // What the dead one stored is visible: the kernel told of its end after it.
  return tryLock() || Live.DrainLock.compare_exchange_strong(
                          Dead, static_cast<uint32_t>(Self),
                          std::memory_order_acquire, std::memory_order_relaxed);
}

void SharedDrain::unlock() {
  auto Ours = static_cast<uint32_t>(Self);
  // Release: pairs with tryLock() in the other process.
  Live.DrainLock.compare_exchange_strong(
      Ours, static_cast<uint32_t>(DrainOwner::Nobody),
      std::memory_order_release, std::memory_order_relaxed);
}

DrainRecord SharedDrain::current() const {
  DrainRecord Record;
  std::memcpy(
      &Record,
      &Live.Drained[Live.DrainIndex.load(std::memory_order_acquire) & 1],
      sizeof(Record));
  return Record;
}

bool SharedDrain::acquire(Candidate &C) {
  if (!C.IsBeingRead) {
    Chunk Acquired = Buffer.tryAcquireChunkForReading(C.Page, C.Index);
    if (!Acquired.isValid())
      return false;
    // It was another one that we looked at: a page partitioned again behind our
    // back.
    if (Acquired.payload() != C.C.payload() ||
        Acquired.payloadSizeBytes() != C.C.payloadSizeBytes())
      return false;
  }
  C.IsBeingRead = true;
  return true;
}

void SharedDrain::free(const Candidate &Which) {
  Buffer.releaseChunkAsFree(Which.C);
}

void SharedDrain::look(size_t Page, unsigned Index, const DrainRecord &Last) {
  ChunkState State = Buffer.chunkState(Page, Index);
  if (State != ChunkState::Complete && State != ChunkState::BeingRead)
    return;
  Candidate New{Page, Index, 0, Buffer.chunk(Page, Index), {}, false};
  if (!New.C.isValid())
    return;
  New.IsBeingRead = State == ChunkState::BeingRead;
  ChunkContent &Content = New.Content;
  Content = readContent(New.C);
  size_t Writer = 0;
  while (Writer != Writers.size() && Writers[Writer].Id != Content.WriterId)
    ++Writer;
  if (Writer == Writers.size()) {
    ++Malformed;
    return;
  }
  uint32_t LastDrained = Last.LastSequence[Writer];
  if (!isSequenceBefore(LastDrained, Content.Sequence)) {
    if (acquire(New))
      free(New);
    return;
  }
  if (Content.SizeBytes > New.C.payloadSizeBytes() || !isPlausible(Content)) {
    ++Malformed;
    return;
  }
  New.Distance = Content.Sequence - LastDrained - 1;
  Found[Writer].push_back(New);
}

size_t SharedDrain::runLength(const std::vector<Candidate> &Candidates,
                              bool HasPackets, size_t LimitBytes) const {
  bool TakesWhole = HasPackets && Self == DrainOwner::Collector;
  size_t Run = 0, Bytes = 0;
  for (size_t I = 0; I != Candidates.size() && Candidates[I].Distance == I;
       ++I) {
    const ChunkContent &C = Candidates[I].Content;
    if (TakesWhole && I == 0 && (C.Flags & ContinuesFromPrevious))
      return 0;
    if (Self == DrainOwner::Collector && Bytes >= LimitBytes && Run == I)
      break;
    Bytes += C.SizeBytes;
    if (!TakesWhole || !(C.Flags & ContinuesOnNext))
      Run = I + 1;
  }
  return Run;
}

const std::vector<ChunkContent> &SharedDrain::select(size_t LimitBytes) {
  Next = current();
  Contents.clear();
  Copies.clear();
  Taken.clear();
  for (auto &Candidates : Found)
    Candidates.clear();
  for (size_t Page = 0; Page != Buffer.pageCount(); ++Page)
    // A page may be partitioned again or become free meanwhile, by us or by
    // somebody who means no good: its layout is no bound for the loop.
    for (unsigned Index = 0; Index != MaxChunksPerPage; ++Index)
      look(Page, Index, Next);
  for (WriterContent Kind : {WriterContent::Packets, WriterContent::Events})
    for (size_t W = 0; W != Writers.size(); ++W) {
      if (Writers[W].Content != static_cast<uint16_t>(Kind))
        continue;
      auto &Candidates = Found[W];
      std::sort(Candidates.begin(), Candidates.end(),
                [](const Candidate &A, const Candidate &B) {
                  return A.Distance < B.Distance;
                });
      // Of two with one number one is invented.
      for (size_t I = 1; I < Candidates.size(); ++I)
        Malformed += Candidates[I].Distance == Candidates[I - 1].Distance;
      size_t Run =
          runLength(Candidates, Kind == WriterContent::Packets, LimitBytes);
      size_t Got = 0;
      while (Got != Run && acquire(Candidates[Got]))
        ++Got;
      // Honest chunks that are complete stay so until we take them.
      Malformed += Got != Run;
      if (Got != Run)
        Got = 0;
      for (size_t I = 0; I != Got; ++I) {
        ChunkContent C = Candidates[I].Content;
        if (Self == DrainOwner::Collector) {
          Copies.emplace_back(C.Data, C.Data + C.SizeBytes);
          C.Data = Copies.back().data(); // stays where it is
        }
        Contents.push_back(C);
        Taken.push_back(Candidates[I]);
        Next.LastSequence[W] = C.Sequence;
      }
    }
  INSTANTRACE_DRAIN_TEST_SEAM(Selected);
  return Contents;
}

void SharedDrain::record(uint64_t FileBytes) {
  INSTANTRACE_DRAIN_TEST_SEAM(Appended);
  Next.FileBytes = FileBytes;
  uint32_t Unused = 1 - (Live.DrainIndex.load(std::memory_order_relaxed) & 1);
  std::memcpy(&Live.Drained[Unused], &Next, sizeof(Next));
  // Release: the record is whole before it is the one that counts, and that
  // comes before the chunks are freed. Pairs with the loads in current() and
  // takeSnapshot().
  Live.DrainIndex.store(Unused, std::memory_order_release);
  INSTANTRACE_DRAIN_TEST_SEAM(Recorded);
}

void SharedDrain::release() {
  for (const Candidate &C : Taken) {
    free(C);
    INSTANTRACE_DRAIN_TEST_SEAM(Released);
  }
  Taken.clear();
  Contents.clear();
  Copies.clear();
}

} // namespace instantrace
