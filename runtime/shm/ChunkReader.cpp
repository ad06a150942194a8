#include "runtime/shm/ChunkReader.h"

#include <algorithm>
#include <utility>

namespace instantrace {

ChunkContent readContent(Chunk C) {
  const ChunkHeader *Header = C.header();
  ChunkContent Content;
  // Acquire: the bytes up to this length are whole. Pairs with the release
  // store in ChunkWriter::commit().
  Content.SizeBytes = Header->CommittedBytes.load(std::memory_order_acquire);
  Content.Sequence = Header->Sequence.load(std::memory_order_relaxed);
  Content.WriterId = Header->WriterId.load(std::memory_order_relaxed);
  Content.Flags = Header->Flags.load(std::memory_order_relaxed);
  Content.FirstRecordOffset =
      Header->FirstRecordOffset.load(std::memory_order_relaxed);
  Content.LastRecordOffset =
      Header->LastRecordOffset.load(std::memory_order_relaxed);
  Content.Data = C.payload();
  return Content;
}

bool isPlausible(const ChunkContent &C) {
  if (C.WriterId == 0)
    return false;
  if (C.Flags & ~uint32_t(ContinuesFromPrevious | ContinuesOnNext))
    return false;
  // Offsets are written before the bytes they speak of are committed, and a
  // writer may be killed in between.
  if (C.SizeBytes == 0)
    return true;
  size_t First = 0;
  if (C.Flags & ContinuesFromPrevious) {
    First = C.FirstRecordOffset;
    if (First == 0 || First > C.SizeBytes)
      return false;
  }
  if (!(C.Flags & ContinuesOnNext))
    return true;
  // Begun in an earlier chunk: then it fills this one from its start to its
  // end.
  if ((C.Flags & ContinuesFromPrevious) && C.LastRecordOffset == 0)
    return First == C.SizeBytes;
  return C.LastRecordOffset >= First && C.LastRecordOffset <= C.SizeBytes;
}

ChunkReader::~ChunkReader() {
  for (const HeldChunk &H : Held)
    Buffer.releaseChunkAsFree(H.C);
}

bool ChunkReader::isAmongFirst(size_t Count, Chunk C) const {
  auto End = Held.begin() + static_cast<std::ptrdiff_t>(Count);
  return std::any_of(Held.begin(), End, [&](const HeldChunk &H) {
    return H.C.payload() == C.payload();
  });
}

ChunkReader::Turn &ChunkReader::turnOf(uint16_t WriterId) {
  for (Turn &T : Turns)
    if (T.WriterId == WriterId)
      return T;
  // More writers than anybody has are invented ones; their order is lost.
  if (Turns.size() == MaxTurns)
    Turns.pop_back();
  Turns.push_back({WriterId, 1});
  return Turns.back();
}

const std::vector<ChunkContent> &ChunkReader::acquire() {
  bool IsEmulation = Buffer.mode() == SharedMemoryAbi::Mode::Emulation;
  size_t HeldBefore = Held.size();
  for (size_t Page = 0; Page != Buffer.pageCount(); ++Page)
    for (uint32_t Complete = Buffer.completeChunks(Page); Complete != 0;
         Complete &= Complete - 1) {
      auto Index = static_cast<unsigned>(__builtin_ctz(Complete));
      // In emulation nobody else reads, and a chunk stays complete while held.
      Chunk C = IsEmulation ? Buffer.chunk(Page, Index)
                            : Buffer.tryAcquireChunkForReading(Page, Index);
      if (C.isValid() && !(IsEmulation && isAmongFirst(HeldBefore, C)))
        hold(C);
    }
  // Not by isSequenceBefore(): it is no order when hostile numbers go all the
  // way round, and std::sort needs one to stay within bounds.
  for (HeldChunk &H : Held)
    H.Distance = static_cast<int32_t>(H.Content.Sequence -
                                      turnOf(H.Content.WriterId).NextSequence);
  std::sort(Held.begin(), Held.end(),
            [](const HeldChunk &A, const HeldChunk &B) {
              return A.Content.WriterId != B.Content.WriterId
                         ? A.Content.WriterId < B.Content.WriterId
                         : A.Distance < B.Distance;
            });
  Contents.clear();
  for (size_t I = 0; I != Held.size();) {
    size_t End = I, MustGo = I;
    uint16_t WriterId = Held[I].Content.WriterId;
    for (; End != Held.size() && Held[End].Content.WriterId == WriterId; ++End)
      if (Held[End].HasWaited)
        MustGo = End + 1;
    Turn &T = turnOf(WriterId);
    for (; I != End; ++I) {
      HeldChunk &H = Held[I];
      H.HasWaited = true;
      if (I >= MustGo && H.Content.Sequence != T.NextSequence)
        continue;
      T.NextSequence = H.Content.Sequence + 1;
      H.IsReturned = true;
      Contents.push_back(H.Content);
    }
  }
  return Contents;
}

void ChunkReader::hold(Chunk C) {
  HeldChunk H;
  ChunkContent &Content = H.Content;
  Content = readContent(C);
  if (Content.SizeBytes > C.payloadSizeBytes() || !isPlausible(Content)) {
    ++Malformed;
    Buffer.releaseChunkAsFree(C);
    return;
  }
  H.C = C;
  if (W == Writers::Foreign) {
    H.Copy.assign(C.payload(), C.payload() + Content.SizeBytes);
    Content.Data = H.Copy.data(); // stays where it is when H is moved
  }
  Held.push_back(std::move(H));
}

void ChunkReader::abandon() {
  Held.clear();
  Contents.clear();
}

void ChunkReader::releaseBefore(uint16_t WriterId, uint32_t Sequence) {
  for (HeldChunk &H : Held)
    if (H.Content.WriterId == WriterId &&
        !isSequenceBefore(H.Content.Sequence, Sequence))
      H.IsReturned = false;
  release();
}

void ChunkReader::release() {
  for (const HeldChunk &H : Held)
    if (H.IsReturned)
      Buffer.releaseChunkAsFree(H.C);
  Held.erase(std::remove_if(Held.begin(), Held.end(),
                            [](const HeldChunk &H) { return H.IsReturned; }),
             Held.end());
  Contents.clear();
}

} // namespace instantrace
