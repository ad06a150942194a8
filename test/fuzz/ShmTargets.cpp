#include "runtime/shm/ChunkReader.h"
#include "runtime/shm/ChunkWriter.h"
#include "test/fuzz/FuzzTargets.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace instantrace::fuzz {

namespace {

constexpr uint32_t LaterPatches = 0xFFFFFF;

/// Reads every byte, which a sanitizer checks, and adds them up.
uint64_t sum(const uint8_t *Data, size_t SizeBytes) {
  uint64_t Sum = 0;
  for (size_t I = 0; I != SizeBytes; ++I)
    Sum = Sum * 31 + Data[I];
  return Sum;
}

struct Patches {
  const uint8_t *Data;
  size_t SizeBytes;

  /// Up to the end or the mark.
  void apply(std::vector<uint64_t> &Memory) {
    auto *Into = reinterpret_cast<uint8_t *>(Memory.data());
    size_t Limit = Memory.size() * sizeof(uint64_t);
    while (SizeBytes >= 4) {
      uint32_t Index =
          uint32_t(Data[0]) | uint32_t(Data[1]) << 8 | uint32_t(Data[2]) << 16;
      size_t Length = std::min<size_t>(Data[3], SizeBytes - 4);
      if (Index != LaterPatches && size_t(Index) * 4 + Length <= Limit)
        std::memcpy(Into + size_t(Index) * 4, Data + 4, Length);
      Data += 4 + Length;
      SizeBytes -= 4 + Length;
      if (Index == LaterPatches)
        return;
    }
  }
};

/// Joins fragments of all writers.
struct Assemblers {
  std::map<uint16_t, RecordAssembler> ByWriter;
  uint64_t Bytes = 0, Checksum = 0;

  void add(const ChunkContent &C) {
    require(isPlausible(C));
    auto [It, IsNew] = ByWriter.try_emplace(C.WriterId, size_t(1) << 20);
    It->second.add(C, [&](const uint8_t *Data, size_t Size) {
      require(Size != 0);
      Bytes += Size;
      Checksum += sum(Data, Size);
    });
  }
  void finish() {
    for (auto &[Id, A] : ByWriter) {
      A.finish();
      require(!A.isPending());
    }
  }
};

void askEverything(SharedMemoryAbi &Abi) {
  for (size_t Page = 0; Page <= Abi.pageCount(); ++Page) {
    uint32_t Word = Abi.headerWord(Page);
    unsigned Chunks = chunksPerPage(pageLayoutIn(Word));
    uint32_t All = (uint32_t(1) << Chunks) - 1;
    require((Abi.freeChunks(Page) & ~All) == 0);
    require((Abi.completeChunks(Page) & ~All) == 0);
    require((Abi.freeChunks(Page) & Abi.completeChunks(Page)) == 0);
    for (unsigned I = 0; I <= MaxChunksPerPage; ++I) {
      Chunk C = Abi.chunk(Page, I);
      require(C.isValid() == (I < Chunks));
      require(I < Chunks || Abi.chunkState(Page, I) == ChunkState::Free);
      if (!C.isValid())
        continue;
      auto P = Abi.positionOf(C);
      require(P.Page == Page && P.Index == I);
      sum(C.payload(), C.payloadSizeBytes());
    }
  }
}

/// Chunks that are being written, as a snapshot takes them: copied, then
/// looked at.
void scrape(SharedMemoryAbi &Abi, Assemblers &Into) {
  for (size_t Page = 0; Page != Abi.pageCount(); ++Page)
    for (unsigned I = 0; I != MaxChunksPerPage; ++I) {
      Chunk C = Abi.chunk(Page, I);
      if (Abi.chunkState(Page, I) != ChunkState::BeingWritten)
        continue;
      std::vector<uint8_t> Copy(C.payload(),
                                C.payload() + C.payloadSizeBytes());
      ChunkContent Content;
      Content.SizeBytes = C.header()->CommittedBytes;
      Content.Sequence = C.header()->Sequence;
      Content.WriterId = C.header()->WriterId;
      Content.Flags = C.header()->Flags;
      Content.FirstRecordOffset = C.header()->FirstRecordOffset;
      Content.LastRecordOffset = C.header()->LastRecordOffset;
      Content.Data = Copy.data();
      if (Content.SizeBytes <= Copy.size() && isPlausible(Content))
        Into.add(Content);
    }
}

/// What the reader has handed out does not change with the buffer.
void search(ChunkReader &Reader, Assemblers &Into, Patches &Later,
            std::vector<uint64_t> &Memory, bool IsForeign) {
  const std::vector<ChunkContent> &Contents = Reader.acquire();
  std::vector<uint64_t> Sums;
  for (const ChunkContent &C : Contents)
    Sums.push_back(sum(C.Data, C.SizeBytes));
  Later.apply(Memory);
  size_t Bytes = 0;
  for (size_t I = 0; I != Contents.size(); ++I) {
    require(!IsForeign ||
            sum(Contents[I].Data, Contents[I].SizeBytes) == Sums[I]);
    Bytes += Contents[I].SizeBytes;
    Into.add(Contents[I]);
  }
  // A chunk waits for one search; meanwhile a hostile writer completes it anew.
  require(Bytes <= 2 * Memory.size() * sizeof(uint64_t));
  Reader.release();
}

/// A writer of ours in that buffer: no hang, and nothing out of bounds.
void write(SharedMemoryAbi &Abi) {
  ChunkSource Source(Abi, {WhenFull::Drop, 2, 0}, nullptr, nullptr);
  ChunkWriter One(Source, 1), Two(Source, 2);
  const std::vector<uint8_t> Large(3 * Abi.pageSizeBytes(), 7);
  for (unsigned I = 0; I != 100; ++I) {
    if (uint8_t *Out = One.reserve()) {
      std::memset(Out, 1, ChunkWriter::MaxRecordBytes);
      One.commit(Out + ChunkWriter::MaxRecordBytes);
    }
    if (I % 32 == 0)
      Two.append(Large.data(), Large.size());
  }
  One.complete();
  Two.complete();
}

} // namespace

void fuzzShmBuffer(const uint8_t *Data, size_t SizeBytes) {
  if (SizeBytes == 0)
    return;
  size_t PageSize = MinPageSizeBytes << (Data[0] & 7);
  size_t Pages = 1 + (Data[0] >> 3 & 3);
  bool IsEmulation = Data[0] & 0x20, IsForeign = !(Data[0] & 0x40);
  if (!isValidPageSize(PageSize))
    PageSize = MinPageSizeBytes;
  std::vector<uint64_t> Memory(PageSize * Pages / sizeof(uint64_t));
  Patches Rest = {Data + 1, SizeBytes - 1};
  Rest.apply(Memory);
  SharedMemoryAbi Abi;
  require(Abi.initialize(reinterpret_cast<uint8_t *>(Memory.data()), PageSize,
                         Pages,
                         IsEmulation ? SharedMemoryAbi::Mode::Emulation
                                     : SharedMemoryAbi::Mode::Shared));
  askEverything(Abi);
  Assemblers Joined;
  scrape(Abi, Joined);
  {
    ChunkReader Reader(Abi, IsForeign ? ChunkReader::Writers::Foreign
                                      : ChunkReader::Writers::Ours);
    for (unsigned Search = 0; Search != 4; ++Search)
      search(Reader, Joined, Rest, Memory, IsForeign);
    askEverything(Abi);
    write(Abi);
    search(Reader, Joined, Rest, Memory, IsForeign);
  }
  Joined.finish();
  askEverything(Abi);
  for (size_t Page = 0; Page != Pages; ++Page)
    for (unsigned I = 0; I != MaxChunksPerPage; ++I) {
      Abi.releaseChunkAsComplete(Abi.chunk(Page, I));
      Abi.releaseChunkAsFree(Abi.chunk(Page, I));
    }
}

void fuzzShmChunk(const uint8_t *Data, size_t SizeBytes) {
  if (SizeBytes < sizeof(ChunkHeader) || SizeBytes > MaxPageSizeBytes)
    return;
  // Aligned as it must be, and exactly as long as it is, for a sanitizer.
  std::vector<uint8_t> Copy(Data, Data + SizeBytes);
  const auto *Header = reinterpret_cast<const ChunkHeader *>(Copy.data());
  ChunkContent Content;
  Content.SizeBytes = Header->CommittedBytes;
  if (Content.SizeBytes > SizeBytes - sizeof(ChunkHeader))
    return;
  Content.Sequence = Header->Sequence;
  Content.WriterId = Header->WriterId;
  Content.Flags = Header->Flags;
  Content.FirstRecordOffset = Header->FirstRecordOffset;
  Content.LastRecordOffset = Header->LastRecordOffset;
  Content.Data = Copy.data() + sizeof(ChunkHeader);
  if (!isPlausible(Content))
    return;
  // Once more as its own successor, and after a gap, so that what it begins
  // meets what it ends.
  Assemblers Joined;
  for (uint32_t Step : {0, 1, 1, 7}) {
    Content.Sequence += Step;
    Joined.add(Content);
  }
  Joined.finish();
  require(Joined.Bytes <= 4 * size_t(Content.SizeBytes));
}

// Seeds

namespace {

void patch(std::string &Into, size_t Offset, const uint8_t *Data,
           size_t SizeBytes) {
  while (SizeBytes != 0) {
    size_t Part = std::min<size_t>(SizeBytes, 252);
    auto Index = static_cast<uint32_t>(Offset / 4);
    for (unsigned Shift : {0, 8, 16})
      Into += static_cast<char>(Index >> Shift);
    Into += static_cast<char>(Part);
    Into.append(reinterpret_cast<const char *>(Data), Part);
    Offset += Part;
    Data += Part;
    SizeBytes -= Part;
  }
}

/// What two writers leave in \p Pages pages, each ending with a fragment.
std::string writtenBuffer(unsigned SizeClass, size_t Pages, PageLayout Layout,
                          size_t Records, bool Completes) {
  size_t PageSize = MinPageSizeBytes << SizeClass;
  std::vector<uint64_t> Memory(PageSize * Pages / 8);
  auto *Bytes = reinterpret_cast<uint8_t *>(Memory.data());
  SharedMemoryAbi Abi;
  Abi.initialize(Bytes, PageSize, Pages, SharedMemoryAbi::Mode::Shared);
  for (size_t Page = 0; Page != Pages; ++Page)
    Abi.tryPartitionPage(Page, Layout);
  ChunkSource Source(Abi, {WhenFull::Drop, 2, 0}, nullptr, nullptr);
  ChunkWriter One(Source, 1), Two(Source, 2);
  const std::vector<uint8_t> Long(PageSize / 3, 9);
  for (size_t I = 0; I != Records; ++I) {
    if (uint8_t *Out = One.reserve()) {
      std::memset(Out, 0x40 + static_cast<int>(I % 64), 20);
      One.commit(Out + 20);
    }
    if (I % 4 == 0)
      Two.append(Long.data(), 1 + I * 37 % Long.size());
  }
  if (Completes) {
    One.complete();
    Two.complete();
  }
  std::string Input(1, static_cast<char>(SizeClass | (Pages - 1) << 3));
  // Headers whole, payloads by their first bytes: the rest is zeros.
  for (size_t Page = 0; Page != Pages; ++Page) {
    patch(Input, Page * PageSize, Bytes + Page * PageSize, 8);
    for (unsigned I = 0; I != chunksPerPage(Layout); ++I) {
      Chunk C = Abi.chunk(Page, I);
      if (Abi.chunkState(Page, I) == ChunkState::Free)
        continue;
      auto *Begin = reinterpret_cast<uint8_t *>(C.header());
      patch(Input, static_cast<size_t>(Begin - Bytes), Begin, 24);
    }
  }
  return Input;
}

} // namespace

std::vector<std::string> shmBufferSeeds() {
  std::vector<std::string> Seeds;
  constexpr PageLayout Layouts[] = {PageLayout::Div1, PageLayout::Div2,
                                    PageLayout::Div4, PageLayout::Div7,
                                    PageLayout::Div14};
  for (PageLayout Layout : Layouts)
    for (bool Completes : {false, true}) {
      Seeds.push_back(writtenBuffer(0, 2, Layout, 60, Completes));
      // The same, and changed while it is read: another layout, another length.
      std::string Changing = Seeds.back();
      Changing += "\xFF\xFF\xFF";
      Changing += '\0';
      const uint8_t Word[] = {0xFF, 0xFF, 0xFF, 0x1F};
      const uint8_t Length[] = {0xFF, 0xFF, 0xFF, 0xFF};
      patch(Changing, 0, Word, 4);
      patch(Changing, 8, Length, 4);
      Seeds.push_back(Changing);
      Changing[0] = static_cast<char>(Changing[0] | 0x20);
      Seeds.push_back(Changing);
    }
  Seeds.push_back(writtenBuffer(4, 1, PageLayout::Div1, 10, true));
  return Seeds;
}

std::vector<std::string> shmChunkSeeds() {
  std::vector<std::string> Seeds;
  auto chunk = [&](uint32_t Committed, uint16_t Flags, uint16_t First,
                   uint16_t Last, size_t Payload) {
    const uint32_t Words[] = {Committed, 7,
                              1u | static_cast<uint32_t>(Flags) << 16,
                              First | static_cast<uint32_t>(Last) << 16};
    std::string Input(reinterpret_cast<const char *>(Words), sizeof(Words));
    for (size_t I = 0; I != Payload; ++I)
      Input += static_cast<char>('a' + I % 26);
    Seeds.push_back(Input);
  };
  chunk(0, 0, 0, 0, 0);
  chunk(20, 0, 0, 0, 24);
  chunk(24, ContinuesOnNext, 0, 10, 24);
  chunk(24, ContinuesFromPrevious, 10, 0, 24);
  chunk(24, ContinuesFromPrevious | ContinuesOnNext, 10, 14, 24);
  chunk(24, ContinuesFromPrevious | ContinuesOnNext, 24, 0, 24);
  chunk(25, 0, 0, 0, 24);
  return Seeds;
}

} // namespace instantrace::fuzz
