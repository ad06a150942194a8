#include "runtime/base/Varint.h"
#include "runtime/format/EventChunk.h"
#include "runtime/format/EventKind.h"
#include "runtime/format/Record.h"
#include "runtime/read/TraceReader.h"
#include "runtime/record/TraceWriter.h"
#include "runtime/recovery/BufferRecovery.h"
#include "runtime/shm/BufferSnapshot.h"
#include "runtime/shm/ChunkWriter.h"
#include "test/fuzz/FuzzTargets.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace instantrace::fuzz {

namespace {

constexpr size_t HeaderBytes = 4096, PageBytes = 4096, PageCount = 2;
constexpr size_t ImageBytes = HeaderBytes + PageBytes * PageCount;
constexpr uint32_t SequenceId = 7;

struct Image {
  alignas(64) uint8_t Bytes[ImageBytes] = {};

  BufferHeader *header() { return reinterpret_cast<BufferHeader *>(Bytes); }
  /// So that a changed header is looked into, and not only refused.
  void setChecksum() {
    BufferHeader &H = *header();
    uint64_t Hash = fnv1a(FnvStart, Bytes, offsetof(BufferHeader, Checksum));
    for (ByteRange R : {H.Session, H.FinalPath, H.PartialPath})
      if (uint64_t(R.Offset) + R.SizeBytes <= ImageBytes)
        Hash = fnv1a(Hash, Bytes + R.Offset, R.SizeBytes);
    H.Checksum = Hash;
  }
};

void makeHeader(Image &Into) {
  BufferHeader &H = *new (Into.Bytes) BufferHeader();
  std::memcpy(H.Magic, BufferMagic.data(), BufferMagic.size());
  H.AbiVersion = SharedMemoryAbiVersion;
  H.ByteOrder = BufferByteOrder;
  H.HeaderBytes = HeaderBytes;
  H.PageSizeBytes = PageBytes;
  H.PageCount = PageCount;
  H.SequenceId = SequenceId;
  H.WriterCount = 2;
  H.Writers[0] = {1, static_cast<uint16_t>(WriterContent::Events)};
  H.Writers[1] = {2, static_cast<uint16_t>(WriterContent::Packets)};
  H.NewestEntities = {sizeof(BufferHeader), 2 * sizeof(NewestEntity)};
  std::string Session;
  StringSink Sink(Session);
  TraceWriter(Sink, SequenceId).writeHeader({});
  auto Index = static_cast<uint32_t>(sizeof(BufferHeader) + 128);
  H.Session = {Index, static_cast<uint32_t>(Session.size())};
  std::memcpy(Into.Bytes + Index, Session.data(), Session.size());
  H.Live.Phase = static_cast<uint32_t>(BufferPhase::Recording);
}

/// Events, and names that are cut into fragments.
Image makeImage() {
  Image Made;
  makeHeader(Made);
  SharedMemoryAbi Abi;
  Abi.initialize(Made.Bytes + HeaderBytes, PageBytes, PageCount,
                 SharedMemoryAbi::Mode::Shared);
  ChunkSource Source(Abi, {WhenFull::Drop, 2}, nullptr, nullptr);
  ChunkWriter Events(Source, 1), Packets(Source, 2);
  BatchStart State;
  for (unsigned I = 0; I != 120; ++I) {
    uint8_t *Out = Events.reserve();
    if (!Out)
      break;
    if (Events.isAtChunkStart())
      Out = writeEventChunkStart(Out, State);
    bool IsEnd = I % 3 == 2;
    uint64_t Begin = uint64_t(EventKind::TemplateInstantiation) << RecordOpBits;
    Out = writeVarint(Out, IsEnd ? uint64_t(RecordOp::End) : Begin);
    Out = writeVarint(Out, 10);
    if (!IsEnd)
      Out = writeVarint(writeVarint(Out, 1), 1);
    Events.commit(Out);
    State.TimeNs += 10;
    State.Interval += !IsEnd;
    State.Entity += !IsEnd;
    State.Location += !IsEnd;
    State.Depth += IsEnd ? UINT32_MAX : 1;
  }
  StringTable Strings;
  for (unsigned I = 0; I != 40; ++I) {
    StringComponents Name;
    Strings.intern(Name.text("Box<" + std::to_string(I) + ">"));
  }
  std::string Names, Hits;
  StringSink NameSink(Names), HitSink(Hits);
  TraceWriter(NameSink, SequenceId).writeDictionary(Strings);
  Packets.append(Names.data(), Names.size());
  TraceWriter(HitSink, SequenceId).writeMemoizedHits({{1, 2}, {2, 3}});
  Packets.append(Hits.data(), Hits.size());
  Made.setChecksum();
  return Made;
}

} // namespace

void fuzzRecovery(const uint8_t *Data, size_t SizeBytes) {
  static const Image Good = makeImage();
  Image Changed = Good;
  bool KeepsChecksum = SizeBytes != 0 && (Data[0] & 1);
  size_t Cut = SizeBytes != 0 && (Data[0] & 2) ? 1 : 0;
  size_t Index = std::min<size_t>(1, SizeBytes);
  while (SizeBytes - Index >= 3) {
    size_t Offset = (size_t(Data[Index]) | size_t(Data[Index + 1]) << 8);
    size_t Length =
        std::min<size_t>(Data[Index + 2] & 0x1F, SizeBytes - Index - 3);
    bool IsPartial = Data[Index + 2] & 0x80;
    Index += 3;
    if (IsPartial)
      break; // the rest is the partial trace
    for (size_t I = 0; I != Length && Offset + I < ImageBytes; ++I)
      Changed.Bytes[Offset + I] = Data[Index + I];
    Index += Length;
  }
  if (!KeepsChecksum)
    Changed.setChecksum();
  std::string_view Partial(reinterpret_cast<const char *>(Data) + Index,
                           SizeBytes - Index);
  std::string_view Bytes(reinterpret_cast<const char *>(Changed.Bytes),
                         ImageBytes - Cut * PageBytes);
  BufferSnapshot Snapshot;
  std::string Error;
  if (!takeSnapshot(MemoryBufferImage(Bytes), Snapshot, Error)) {
    require(!Error.empty());
    return;
  }
  RecoveredTrace Recovered = recoverTrace(Snapshot, Partial);
  if (Recovered.Bytes.empty()) {
    require(!Recovered.Problems.empty());
    return;
  }
  addInterruptedFooter(Recovered);
  Trace T;
  readTrace(Recovered.Bytes, "recovered", T);
  require(T.Files.front().damage() == nullptr);
  require(T.Sequences.size() == 1);
  require(T.Sequences.front().EventCount == Recovered.Content.EventCount);
}

std::vector<std::string> recoverySeeds() {
  auto Patch = [](size_t Offset, const std::string &Bytes) {
    std::string Seed(1, '\0');
    Seed.push_back(static_cast<char>(Offset));
    Seed.push_back(static_cast<char>(Offset >> 8));
    Seed.push_back(static_cast<char>(Bytes.size()));
    return Seed + Bytes;
  };
  constexpr size_t Live = offsetof(BufferHeader, Live);
  constexpr size_t Chunk = HeaderBytes + sizeof(PageHeader);
  return {
      std::string(1, '\0'),
      std::string(1, '\2'),
      Patch(Live, "\2"),
      Patch(Live + offsetof(LiveState, DrainIndex), "\1"),
      Patch(Live + offsetof(LiveState, Drained), std::string("\x40\0\0", 3)),
      Patch(offsetof(BufferHeader, PageCount), "\3"),
      Patch(HeaderBytes + 3, "\x20"),
      Patch(Chunk, "\x30"),
      Patch(Chunk + offsetof(ChunkHeader, Flags), "\3"),
      Patch(Chunk + sizeof(ChunkHeader) + 40, "\x2d\1\2\3")};
}

} // namespace instantrace::fuzz
