#include "utils/analysis/live/LiveTrace.h"

#include "runtime/format/EventChunk.h"
#include "runtime/read/TraceReader.h"
#include "runtime/recovery/BufferRecovery.h"

#include <algorithm>

using namespace instantrace;

namespace {

/// Read at a time; a packet that is longer is read whole.
constexpr uint64_t BlockBytes = uint64_t(4) << 20;

} // namespace

bool LiveTrace::update(const BufferSnapshot &Buffer, const BufferImage *Partial,
                       const FinalFunction &OnFinal) {
  Problem.clear();
  if (!Reader) {
    Reader.emplace(Buffer.SequenceId);
    PacketFraming Session(Buffer.Session);
    while (auto Packet = Session.next())
      add(*Packet);
  }
  if (BeforeTail)
    Reader->restore(*BeforeTail);
  BeforeTail.reset();
  bool IsGood = Buffer.PartialFileBytes >= FileBytes;
  if (IsGood && Partial)
    IsGood = readPartial(*Partial, Buffer.PartialFileBytes);
  for (const SnapshotWriter &W : Buffer.Writers)
    if (IsGood && W.Content == WriterContent::Packets)
      takePacketChunks(Buffer, W);
  for (const SnapshotWriter &W : Buffer.Writers)
    if (IsGood && W.Content == WriterContent::Events)
      IsGood = takeEventChunks(Buffer, W, OnFinal);
  if (!IsGood)
    *this = LiveTrace();
  return IsGood;
}

void LiveTrace::add(std::string_view Packet) {
  std::string Why;
  if (!Reader->add(Packet, Why))
    Problem = Why;
}

/// \p PacketNo and \p RecordAt are where the packet is in its stream, and are
/// moved behind it. False: it was taken in part, which does not happen when
/// the producer drains whole chunks.
bool LiveTrace::takePacket(std::string_view Packet, uint64_t &PacketNo,
                           uint64_t &RecordAt) {
  switch (packetBody(Packet)) {
  case PacketBody::FileHeader:
  case PacketBody::Session:
    return true; // the buffer has them, too
  case PacketBody::Events: {
    BatchStart Start;
    std::string_view Records;
    if (!readEventBatch(Packet, Start, Records))
      return false;
    uint64_t Begin = RecordAt;
    RecordAt += Records.size();
    if (RecordAt <= RecordBytesTaken)
      return true;
    if (Begin != RecordBytesTaken)
      return false;
    RecordBytesTaken = RecordAt;
    add(Packet);
    return true;
  }
  default:
    if (PacketNo++ == PacketsTaken) {
      ++PacketsTaken;
      add(Packet);
    }
    return true;
  }
}

bool LiveTrace::readPartial(const BufferImage &Partial, uint64_t EndBytes) {
  std::string Block;
  for (uint64_t Wanted = BlockBytes; FileBytes != EndBytes;) {
    uint64_t AskedBytes = std::min(Wanted, EndBytes - FileBytes);
    Block.resize(AskedBytes);
    Block.resize(Partial.read(FileBytes, Block.data(), Block.size()));
    PacketFraming Framing(Block);
    while (auto Packet = Framing.next())
      if (!takePacket(*Packet, PacketsInFile, RecordBytesInFile))
        return false;
    uint64_t Read = Framing.issue() ? Framing.offsetBytes() : Block.size();
    FileBytes += Read;
    Wanted = BlockBytes;
    if (Read != 0)
      continue;
    // The file is shorter than the buffer says, the packet is longer than the
    // block, or it is damaged.
    bool IsEnd =
        Block.size() != AskedBytes || AskedBytes == EndBytes - FileBytes;
    if (IsEnd) {
      Problem = Framing.issue() ? Framing.issue()->message("partial trace")
                                : "partial trace: it ends too early";
      return true;
    }
    Wanted = Block.size() * 2;
  }
  return true;
}

void LiveTrace::takePacketChunks(const BufferSnapshot &Buffer,
                                 const SnapshotWriter &W) {
  RecordAssembler Assembler;
  uint64_t PacketNo = PacketsInFile, Unused = 0;
  uint32_t Next = W.LastDrained + 1;
  for (const SnapshotChunk &Chunk : Buffer.Chunks) {
    const ChunkContent &C = Chunk.Content;
    if (C.WriterId != W.Id)
      continue;
    // A packet of which the producer has the begin has a number, too; it and
    // what follows come with the next drain.
    bool IsFirst = Next == W.LastDrained + 1;
    if (C.Sequence != Next++ || (IsFirst && (C.Flags & ContinuesFromPrevious)))
      return;
    Assembler.add(C, [&](const uint8_t *Data, size_t SizeBytes) {
      PacketFraming Framing({reinterpret_cast<const char *>(Data), SizeBytes});
      while (auto Packet = Framing.next())
        takePacket(*Packet, PacketNo, Unused);
    });
  }
}

bool LiveTrace::takeEventChunks(const BufferSnapshot &Buffer,
                                const SnapshotWriter &W,
                                const FinalFunction &OnFinal) {
  uint64_t RecordAt = RecordBytesInFile, Unused = 0;
  uint32_t Next = W.LastDrained + 1;
  std::string Tail;
  for (const SnapshotChunk &Chunk : Buffer.Chunks) {
    const ChunkContent &C = Chunk.Content;
    if (C.WriterId != W.Id)
      continue;
    if (C.Sequence != Next++ || C.Flags != 0 ||
        (C.SizeBytes != 0 && C.SizeBytes < EventChunkStartBytes))
      break;
    std::string Framed = eventPacket(Reader->sequence().Id, C);
    if (Chunk.State == ChunkState::BeingWritten) {
      Tail = std::move(Framed);
      break;
    }
    PacketFraming Framing(Framed);
    while (auto Packet = Framing.next())
      if (!takePacket(*Packet, Unused, RecordAt))
        return false;
  }
  OnFinal(Reader->sequence());
  // Events that the file has may not be taken yet when it could not be read.
  PacketFraming Framing(Tail);
  if (auto Packet = Framing.next()) {
    BeforeTail = Reader->eventState();
    add(*Packet);
  }
  return true;
}
