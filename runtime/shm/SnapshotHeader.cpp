#include "runtime/shm/SnapshotHeader.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace instantrace {

namespace {

constexpr unsigned MaxDrainReads = 16;

std::string hex(uint64_t Value) {
  char Text[24];
  std::snprintf(Text, sizeof Text, "0x%016llx",
                static_cast<unsigned long long>(Value));
  return Text;
}

/// A field of a struct that is at hand as bytes only.
template <class T> T fieldAt(const uint8_t *Bytes, size_t Offset) {
  T Value;
  std::memcpy(&Value, Bytes + Offset, sizeof(T));
  return Value;
}
#define HEADER_FIELD(Type, Name)                                               \
  fieldAt<Type>(Bytes.data(), offsetof(BufferHeader, Name))
#define LIVE_FIELD(Type, Name) fieldAt<Type>(Live, offsetof(LiveState, Name))

class HeaderReader {
public:
  HeaderReader(const BufferImage &Image, BufferSnapshot &Into,
               SnapshotGeometry &Geometry, std::string &Error)
      : Image(Image), Into(Into), Geometry(Geometry), Error(Error) {}

  bool read() {
    return readFixedPart() && isOurs() && readGeometry() && readWriters() &&
           readRanges();
  }

private:
  bool fail(std::string Text) {
    Error = std::move(Text);
    return false;
  }
  /// Where no producer that ended its header would have written this.
  bool torn(const std::string &Found, const std::string &Expected) {
    return fail("torn header: found " + Found + ", expected " + Expected);
  }

  bool readFixedPart();
  bool isOurs();
  bool readGeometry();
  bool readWriters();
  bool readRanges();
  bool isRange(ByteRange Range, const char *Name);

  const BufferImage &Image;
  BufferSnapshot &Into;
  SnapshotGeometry &Geometry;
  std::string &Error;
  std::vector<uint8_t> Bytes; ///< the fixed part, later the whole header
};

bool HeaderReader::readFixedPart() {
  Bytes.resize(sizeof(BufferHeader));
  size_t Got = Image.read(0, Bytes.data(), Bytes.size());
  if (Got == 0)
    return fail("empty: the producer was killed before it made its buffer, or "
                "this is none");
  bool IsZero = std::all_of(Bytes.begin(), Bytes.end(),
                            [](uint8_t Byte) { return Byte == 0; });
  if (Got == Bytes.size() && IsZero)
    return fail("torn header: the producer was killed before it wrote it");
  std::string_view Magic(reinterpret_cast<const char *>(Bytes.data()),
                         std::min(Got, BufferMagic.size()));
  if (Magic != BufferMagic.substr(0, Got))
    return fail("not a buffer of Instantrace: it does not begin with "
                "\"itrcbuf\"");
  if (Got != Bytes.size())
    return fail("truncated: found " + std::to_string(Got) +
                " bytes, expected " + std::to_string(Bytes.size()) +
                " of the header");
  return true;
}

bool HeaderReader::isOurs() {
  auto ByteOrder = HEADER_FIELD(uint32_t, ByteOrder);
  if (ByteOrder == __builtin_bswap32(BufferByteOrder))
    return fail("made by a machine of the other byte order: found 0x04030201, "
                "expected 0x01020304");
  auto Version = HEADER_FIELD(uint32_t, AbiVersion);
  if (Version > SharedMemoryAbiVersion)
    return fail("buffer version " + std::to_string(Version) +
                " is newer than this tool reads (" +
                std::to_string(SharedMemoryAbiVersion) + ")");
  auto Phase = fieldAt<uint32_t>(Bytes.data(), offsetof(BufferHeader, Live) +
                                                   offsetof(LiveState, Phase));
  if (Phase == static_cast<uint32_t>(BufferPhase::MakingHeader))
    return fail("torn header: the producer was killed while it wrote it");
  if (ByteOrder != BufferByteOrder)
    return torn("byte order " + hex(ByteOrder), hex(BufferByteOrder));
  if (Version != SharedMemoryAbiVersion)
    return torn("buffer version " + std::to_string(Version),
                std::to_string(SharedMemoryAbiVersion));
  Into.Pid = HEADER_FIELD(uint32_t, Pid);
  Into.ProcessStartTicks = HEADER_FIELD(uint64_t, ProcessStartTicks);
  Into.RealtimeNs = HEADER_FIELD(uint64_t, RealtimeNs);
  Into.MonotonicNs = HEADER_FIELD(uint64_t, MonotonicNs);
  Into.SequenceId = HEADER_FIELD(uint32_t, SequenceId);
  return true;
}

bool HeaderReader::readGeometry() {
  Geometry.HeaderBytes = HEADER_FIELD(uint32_t, HeaderBytes);
  Geometry.PageSizeBytes = HEADER_FIELD(uint32_t, PageSizeBytes);
  Geometry.PageCount = HEADER_FIELD(uint32_t, PageCount);
  if (Geometry.HeaderBytes < sizeof(BufferHeader) ||
      Geometry.HeaderBytes % 4096 != 0 || Geometry.HeaderBytes > MaxHeaderBytes)
    return torn("header of " + std::to_string(Geometry.HeaderBytes) + " bytes",
                "a multiple of 4096, at most " +
                    std::to_string(MaxHeaderBytes));
  if (!isValidPageSize(Geometry.PageSizeBytes))
    return torn("pages of " + std::to_string(Geometry.PageSizeBytes) + " bytes",
                "a power of two from 4096 to 65536");
  if (Geometry.PageCount == 0 || Geometry.PageCount > MaxPageCount)
    return torn(std::to_string(Geometry.PageCount) + " pages",
                "1 to " + std::to_string(MaxPageCount));
  uint64_t Size = Image.sizeBytes();
  if (Size < Geometry.HeaderBytes)
    return fail("truncated: found " + std::to_string(Size) +
                " bytes, expected " + std::to_string(Geometry.HeaderBytes) +
                " of the header");
  return true;
}

bool HeaderReader::readWriters() {
  auto Count = HEADER_FIELD(uint32_t, WriterCount);
  if (Count == 0 || Count > MaxWriters)
    return torn(std::to_string(Count) + " writers",
                "1 to " + std::to_string(MaxWriters));
  if (Into.SequenceId == 0)
    return torn("sequence 0", "a number from 1");
  for (size_t I = 0; I != Count; ++I) {
    auto Writer = fieldAt<WriterDescription>(Bytes.data(),
                                             offsetof(BufferHeader, Writers) +
                                                 I * sizeof(WriterDescription));
    std::string Name = "writer " + std::to_string(Writer.Id);
    if (Writer.Id == 0)
      return torn(Name, "a number from 1");
    for (const SnapshotWriter &Other : Into.Writers)
      if (Other.Id == Writer.Id)
        return torn(Name + " twice", "once");
    if (Writer.Content != static_cast<uint16_t>(WriterContent::Events) &&
        Writer.Content != static_cast<uint16_t>(WriterContent::Packets))
      return torn(Name + " with content " + std::to_string(Writer.Content),
                  "1 or 2");
    Into.Writers.push_back(
        {Writer.Id, static_cast<WriterContent>(Writer.Content), 0});
  }
  return true;
}

bool HeaderReader::isRange(ByteRange Range, const char *Name) {
  uint64_t End = uint64_t(Range.Offset) + Range.SizeBytes;
  if (Range.SizeBytes == 0 ||
      (Range.Offset >= sizeof(BufferHeader) && End <= Geometry.HeaderBytes))
    return true;
  return torn(std::string(Name) + " at bytes " + std::to_string(Range.Offset) +
                  " to " + std::to_string(End),
              "it between " + std::to_string(sizeof(BufferHeader)) + " and " +
                  std::to_string(Geometry.HeaderBytes));
}

bool HeaderReader::readRanges() {
  auto Session = HEADER_FIELD(ByteRange, Session);
  auto FinalPath = HEADER_FIELD(ByteRange, FinalPath);
  auto PartialPath = HEADER_FIELD(ByteRange, PartialPath);
  Geometry.NewestEntities = HEADER_FIELD(ByteRange, NewestEntities);
  if (!isRange(Session, "session") || !isRange(FinalPath, "final path") ||
      !isRange(PartialPath, "partial path") ||
      !isRange(Geometry.NewestEntities, "newest entities"))
    return false;
  auto Found = HEADER_FIELD(uint64_t, Checksum);
  Bytes.resize(Geometry.HeaderBytes);
  size_t Got = Image.read(0, Bytes.data(), Bytes.size());
  if (Got != Bytes.size())
    return fail("truncated: found " + std::to_string(Got) +
                " bytes, expected " + std::to_string(Geometry.HeaderBytes) +
                " of the header");
  uint64_t Computed =
      fnv1a(FnvStart, Bytes.data(), offsetof(BufferHeader, Checksum));
  for (ByteRange Range : {Session, FinalPath, PartialPath})
    Computed = fnv1a(Computed, Bytes.data() + Range.Offset, Range.SizeBytes);
  if (Found != Computed)
    return torn("checksum " + hex(Found), hex(Computed));
  auto Text = [&](ByteRange Range) {
    return std::string(reinterpret_cast<const char *>(Bytes.data()) +
                           Range.Offset,
                       Range.SizeBytes);
  };
  Into.Session = Text(Session);
  Into.FinalPath = Text(FinalPath);
  Into.PartialPath = Text(PartialPath);
  return true;
}

bool readLiveState(const BufferImage &Image, uint8_t *Live) {
  return Image.read(offsetof(BufferHeader, Live), Live, sizeof(LiveState)) ==
         sizeof(LiveState);
}

std::vector<uint8_t> readRange(const BufferImage &Image, ByteRange Range) {
  std::vector<uint8_t> Bytes(Range.SizeBytes);
  Bytes.resize(Image.read(Range.Offset, Bytes.data(), Bytes.size()));
  return Bytes;
}

/// Slots that two reads found alike; one that changes has a new entity, and the
/// next snapshot has it.
void readNewestEntities(const BufferImage &Image, ByteRange Range,
                        BufferSnapshot &Into) {
  std::vector<uint8_t> Slots = readRange(Image, Range);
  std::vector<uint8_t> Again = readRange(Image, Range);
  size_t Count = std::min(Slots.size(), Again.size()) / sizeof(NewestEntity);
  for (size_t I = 0; I != Count; ++I) {
    const uint8_t *Slot = Slots.data() + I * sizeof(NewestEntity);
    auto Id = fieldAt<uint32_t>(Slot, offsetof(NewestEntity, EntityId));
    if (Id == 0 || std::memcmp(Slot, Again.data() + I * sizeof(NewestEntity),
                               sizeof(NewestEntity)) != 0)
      continue;
    const char *Text =
        reinterpret_cast<const char *>(Slot) + offsetof(NewestEntity, Text);
    Into.NewestEntities.push_back(
        {Id, std::string(Text, strnlen(Text, sizeof(NewestEntity::Text))),
         fieldAt<uint32_t>(Slot, offsetof(NewestEntity, Name)),
         fieldAt<uint32_t>(Slot, offsetof(NewestEntity, TemplateSet)),
         fieldAt<uint32_t>(Slot, offsetof(NewestEntity, Kind)),
         fieldAt<uint32_t>(Slot, offsetof(NewestEntity, LineNo))});
  }
  std::sort(
      Into.NewestEntities.begin(), Into.NewestEntities.end(),
      [](const BufferSnapshot::Newest &A, const BufferSnapshot::Newest &B) {
        return A.EntityId < B.EntityId;
      });
}

} // namespace

bool readSnapshotHeader(const BufferImage &Image, BufferSnapshot &Into,
                        SnapshotGeometry &Geometry, std::string &Error) {
  return HeaderReader(Image, Into, Geometry, Error).read();
}

bool readDrainState(const BufferImage &Image, DrainState &Into,
                    std::string &Error) {
  // The record in use does not change, but it may be out of use and in use
  // again between two loads of this copy: then two copies differ.
  DrainState Before;
  for (unsigned I = 0; I != MaxDrainReads; ++I) {
    alignas(LiveState) uint8_t Live[sizeof(LiveState)];
    if (!readLiveState(Image, Live)) {
      Error = "truncated: the file ends in its header";
      return false;
    }
    Into.Index = LIVE_FIELD(uint32_t, DrainIndex);
    auto Record =
        fieldAt<DrainRecord>(Live, offsetof(LiveState, Drained) +
                                       (Into.Index & 1) * sizeof(DrainRecord));
    Into.FileBytes = Record.FileBytes;
    std::copy(std::begin(Record.LastSequence), std::end(Record.LastSequence),
              Into.LastSequence.begin());
    if (I != 0 && Into == Before)
      break;
    Before = Into;
  }
  return true;
}

void readLiveFields(const BufferImage &Image, const SnapshotGeometry &Geometry,
                    BufferSnapshot &Into) {
  uint8_t Live[sizeof(LiveState)] = {};
  readLiveState(Image, Live);
  auto Phase = LIVE_FIELD(uint32_t, Phase);
  Into.Phase = BufferPhase::Recording;
  if (Phase == static_cast<uint32_t>(BufferPhase::Finished))
    Into.Phase = BufferPhase::Finished;
  else if (Phase != static_cast<uint32_t>(BufferPhase::Recording))
    Into.Problems.push_back("found phase " + std::to_string(Phase) +
                            ", expected 0 to 2");
  Into.Signal = LIVE_FIELD(uint32_t, Signal);
  Into.AstBytes = LIVE_FIELD(uint64_t, AstBytes);
  Into.PeakRssBytes = LIVE_FIELD(uint64_t, PeakRssBytes);
  Into.RanOutOfMemory = LIVE_FIELD(uint32_t, RanOutOfMemory) != 0;
  Into.EventsDropped = LIVE_FIELD(uint64_t, EventsDropped);
  const char *Pass =
      reinterpret_cast<const char *>(Live) + offsetof(LiveState, Pass);
  Into.Pass.assign(Pass, strnlen(Pass, sizeof(LiveState::Pass)));
  readNewestEntities(Image, Geometry.NewestEntities, Into);
}

} // namespace instantrace
