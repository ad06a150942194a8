#include "runtime/shm/BufferSnapshot.h"

#include "runtime/shm/SnapshotHeader.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>

namespace instantrace {

uint64_t FileBufferImage::sizeBytes() const {
  struct stat Status;
  if (::fstat(Descriptor, &Status) != 0 || !S_ISREG(Status.st_mode))
    return 0;
  return static_cast<uint64_t>(Status.st_size);
}

size_t FileBufferImage::read(uint64_t Offset, void *Into,
                             size_t SizeBytes) const {
  size_t Got = 0;
  while (Got != SizeBytes) {
    ssize_t Now = ::pread(Descriptor, static_cast<char *>(Into) + Got,
                          SizeBytes - Got, static_cast<off_t>(Offset + Got));
    if (Now < 0 && errno == EINTR)
      continue;
    if (Now <= 0)
      break;
    Got += static_cast<size_t>(Now);
  }
  return Got;
}

size_t MemoryBufferImage::read(uint64_t Offset, void *Into,
                               size_t SizeBytes) const {
  if (Offset >= Bytes.size() || SizeBytes == 0)
    return 0;
  size_t Got = std::min<size_t>(SizeBytes, Bytes.size() - Offset);
  std::memcpy(Into, Bytes.data() + Offset, Got);
  return Got;
}

bool hasBufferMagic(std::string_view FirstBytes) {
  return FirstBytes.substr(0, BufferMagic.size()) == BufferMagic;
}

const BufferSnapshot::Newest *
BufferSnapshot::newestEntity(uint32_t EntityId) const {
  auto Found = std::lower_bound(
      NewestEntities.begin(), NewestEntities.end(), EntityId,
      [](const Newest &N, uint32_t Wanted) { return N.EntityId < Wanted; });
  return Found != NewestEntities.end() && Found->EntityId == EntityId ? &*Found
                                                                      : nullptr;
}

namespace {

constexpr unsigned MaxPasses = 8;
constexpr unsigned MaxCopies = 8; ///< of one chunk in one pass

/// What a chunk's header says; read as bytes, since it changes meanwhile.
struct HeaderCopy {
  uint32_t CommittedBytes = 0, Sequence = 0;
  uint16_t WriterId = 0, Flags = 0, First = 0, Last = 0;

  bool isOfSameChunk(const HeaderCopy &O) const {
    return Sequence == O.Sequence && WriterId == O.WriterId &&
           Flags == O.Flags && First == O.First && Last == O.Last &&
           CommittedBytes <= O.CommittedBytes;
  }
};
static_assert(sizeof(HeaderCopy) == sizeof(ChunkHeader));

class ChunkCopier {
public:
  ChunkCopier(const BufferImage &Image, const SnapshotGeometry &Geometry,
              BufferSnapshot &Into)
      : Image(Image), Geometry(Geometry), Into(Into) {}

  /// Copies the chunks of all pages that the image has.
  void copyAll() {
    Into.Chunks.clear();
    Into.Problems.clear();
    for (size_t Page = 0; Page != Geometry.PageCount; ++Page)
      if (!copyPage(Page)) {
        Into.Problems.push_back("page " + std::to_string(Page) +
                                ": the file ends before it, expected " +
                                std::to_string(Geometry.PageCount) + " pages");
        return;
      }
  }

private:
  bool copyPage(size_t Page) {
    uint32_t Word;
    if (!readWord(Page, Word))
      return false;
    PageLayout Layout = pageLayoutIn(Word);
    if (Layout != PageLayout::NotPartitioned && chunksPerPage(Layout) == 0)
      Into.Problems.push_back(
          "page " + std::to_string(Page) + ": found layout " +
          std::to_string(static_cast<uint32_t>(Layout)) + ", expected 0 to 5");
    // The producer may partition the page again meanwhile; each chunk looks
    // again.
    if (Layout != PageLayout::NotPartitioned)
      for (unsigned Index = 0; Index != MaxChunksPerPage; ++Index)
        copyChunk(Page, Index);
    return true;
  }

  bool readWord(size_t Page, uint32_t &Word) const {
    return Image.read(Geometry.pageAt(Page), &Word, sizeof(Word)) ==
           sizeof(Word);
  }

  void copyChunk(size_t Page, unsigned Index);
  /// Empty: the chunk is good, or holds nothing and is left out.
  std::string settleContent(ChunkContent &Content, ChunkState State) const;

  const BufferImage &Image;
  const SnapshotGeometry &Geometry;
  BufferSnapshot &Into;
};

void ChunkCopier::copyChunk(size_t Page, unsigned Index) {
  std::string Problem;
  for (unsigned Attempt = 0; Attempt != MaxCopies; ++Attempt) {
    uint32_t Before, After;
    if (!readWord(Page, Before))
      return;
    PageLayout Layout = pageLayoutIn(Before);
    if (Index >= chunksPerPage(Layout) ||
        chunkStateIn(Before, Index) == ChunkState::Free)
      return;
    size_t ChunkBytes = chunkSizeBytes(Geometry.PageSizeBytes, Layout);
    uint64_t Offset =
        Geometry.pageAt(Page) + sizeof(PageHeader) + Index * ChunkBytes;
    HeaderCopy Header, Again;
    if (Image.read(Offset, &Header, sizeof(Header)) != sizeof(Header))
      return;
    size_t PayloadBytes = ChunkBytes - sizeof(ChunkHeader);
    if (Header.CommittedBytes > PayloadBytes) {
      Problem = "found " + std::to_string(Header.CommittedBytes) +
                " committed bytes, expected at most " +
                std::to_string(PayloadBytes);
      continue;
    }
    SnapshotChunk Chunk;
    Chunk.Payload.resize(Header.CommittedBytes);
    if (Image.read(Offset + sizeof(ChunkHeader), Chunk.Payload.data(),
                   Header.CommittedBytes) != Header.CommittedBytes ||
        Image.read(Offset, &Again, sizeof(Again)) != sizeof(Again) ||
        !readWord(Page, After)) {
      Problem = "the file ends in it";
      break;
    }
    Problem = "it changed whenever it was copied";
    if (pageLayoutIn(After) != Layout ||
        chunkStateIn(After, Index) == ChunkState::Free ||
        !Header.isOfSameChunk(Again))
      continue;
    // By the first look: what was committed before it became complete is not
    // all of it.
    Chunk.State = chunkStateIn(Before, Index);
    Chunk.Content = {Header.Sequence,      Header.WriterId, Header.Flags,
                     Header.First,         Header.Last,     nullptr,
                     Header.CommittedBytes};
    // Nothing yet, or nothing any more.
    if (Header.CommittedBytes == 0 && Chunk.State != ChunkState::Complete)
      return;
    Problem = settleContent(Chunk.Content, Chunk.State);
    if (!Problem.empty())
      break;
    if (Chunk.Content.SizeBytes != 0 || Chunk.State == ChunkState::Complete)
      Into.Chunks.push_back(std::move(Chunk));
    return;
  }
  Into.Problems.push_back("page " + std::to_string(Page) + ", chunk " +
                          std::to_string(Index) + ": " + Problem);
}

/// A producer that is killed, or is not finished, between its stores leaves
/// flags that speak of bytes it has not committed.
std::string ChunkCopier::settleContent(ChunkContent &C,
                                       ChunkState State) const {
  bool IsKnown =
      std::any_of(Into.Writers.begin(), Into.Writers.end(),
                  [&](const SnapshotWriter &W) { return W.Id == C.WriterId; });
  if (!IsKnown)
    return "found writer " + std::to_string(C.WriterId) +
           ", expected one that the header names";
  if (C.SizeBytes == 0)
    C.Flags = 0;
  if (State == ChunkState::BeingWritten && (C.Flags & ContinuesFromPrevious) &&
      C.FirstRecordOffset > C.SizeBytes) {
    C.SizeBytes = 0;
    return {};
  }
  bool IsMiddle = (C.Flags & ContinuesFromPrevious) && C.LastRecordOffset == 0;
  if (State == ChunkState::BeingWritten && (C.Flags & ContinuesOnNext) &&
      !IsMiddle && C.LastRecordOffset >= C.SizeBytes)
    C.Flags = C.Flags & static_cast<uint16_t>(~ContinuesOnNext);
  if (isPlausible(C))
    return {};
  return "found flags " + std::to_string(C.Flags) + " with record offsets " +
         std::to_string(C.FirstRecordOffset) + " and " +
         std::to_string(C.LastRecordOffset) +
         ", expected ones that agree with " + std::to_string(C.SizeBytes) +
         " bytes";
}

/// Puts the chunks that were not drained in order, each once.
void dropDrained(BufferSnapshot &Into) {
  auto WriterIndex = [&](const SnapshotChunk &C) {
    size_t I = 0;
    while (Into.Writers[I].Id != C.Content.WriterId)
      ++I;
    return I;
  };
  // From 0 for the first one that was not drained.
  auto Distance = [&](const SnapshotChunk &C) {
    return C.Content.Sequence - Into.Writers[WriterIndex(C)].LastDrained - 1;
  };
  auto &Chunks = Into.Chunks;
  Chunks.erase(std::remove_if(Chunks.begin(), Chunks.end(),
                              [&](const SnapshotChunk &C) {
                                return !isSequenceBefore(
                                    Into.Writers[WriterIndex(C)].LastDrained,
                                    C.Content.Sequence);
                              }),
               Chunks.end());
  auto Order = [&](const SnapshotChunk &C) {
    // Of two with one number, the one that has more is the later copy.
    return std::tuple(WriterIndex(C), Distance(C), ~C.Content.SizeBytes);
  };
  std::stable_sort(Chunks.begin(), Chunks.end(),
                   [&](const SnapshotChunk &A, const SnapshotChunk &B) {
                     return Order(A) < Order(B);
                   });
  Chunks.erase(std::unique(Chunks.begin(), Chunks.end(),
                           [](const SnapshotChunk &A, const SnapshotChunk &B) {
                             return A.Content.WriterId == B.Content.WriterId &&
                                    A.Content.Sequence == B.Content.Sequence;
                           }),
               Chunks.end());
}

/// Step 4 of the header: whether nothing is missing between the chunks of each
/// writer. With \p Cuts, what follows the first such place is left out.
bool isSettled(BufferSnapshot &Into, bool Cuts) {
  bool IsSettled = true;
  std::vector<SnapshotChunk> Kept;
  for (const SnapshotWriter &W : Into.Writers) {
    uint32_t Next = W.LastDrained + 1;
    bool IsCut = false, IsUnfinished = false;
    for (SnapshotChunk &C : Into.Chunks) {
      if (C.Content.WriterId != W.Id)
        continue;
      IsCut = IsCut || IsUnfinished || C.Content.Sequence != Next++;
      IsUnfinished = C.State == ChunkState::BeingWritten;
      if (Cuts && !IsCut)
        Kept.push_back(std::move(C));
    }
    IsSettled = IsSettled && !IsCut;
  }
  if (Cuts)
    Into.Chunks = std::move(Kept);
  return IsSettled;
}

/// Equal for two passes between which the producer did nothing.
std::vector<std::array<uint32_t, 4>> outlineOf(const BufferSnapshot &S) {
  std::vector<std::array<uint32_t, 4>> Outline;
  Outline.reserve(S.Chunks.size());
  for (const SnapshotChunk &C : S.Chunks)
    Outline.push_back({C.Content.WriterId, C.Content.Sequence,
                       C.Content.SizeBytes, static_cast<uint32_t>(C.State)});
  return Outline;
}

} // namespace

bool takeSnapshot(const BufferImage &Image, BufferSnapshot &Into,
                  std::string &Error) {
  Into = {};
  SnapshotGeometry Geometry;
  if (!readSnapshotHeader(Image, Into, Geometry, Error))
    return false;
  ChunkCopier Copier(Image, Geometry, Into);
  DrainState Before, After;
  std::vector<std::array<uint32_t, 4>> Outline, OutlineBefore;
  for (unsigned Pass = 0; Pass != MaxPasses; ++Pass) {
    OutlineBefore = std::move(Outline);
    if (!readDrainState(Image, Before, Error))
      return false;
    Copier.copyAll();
    if (!readDrainState(Image, After, Error))
      return false;
    Into.PartialFileBytes = After.FileBytes;
    for (size_t I = 0; I != Into.Writers.size(); ++I)
      Into.Writers[I].LastDrained = After.LastSequence[I];
    dropDrained(Into);
    Outline = outlineOf(Into);
    bool IsStill = Before == After;
    if (IsStill && (isSettled(Into, /*Cuts=*/false) ||
                    (Pass != 0 && Outline == OutlineBefore)))
      break;
    if (Pass + 1 == MaxPasses)
      isSettled(Into, /*Cuts=*/true);
  }
  if (After.Index > 1)
    Into.Problems.push_back("found drain index " + std::to_string(After.Index) +
                            ", expected 0 or 1");
  for (SnapshotChunk &C : Into.Chunks)
    C.Content.Data = C.Payload.data();
  readLiveFields(Image, Geometry, Into);
  return true;
}

} // namespace instantrace
