#include "runtime/record/TraceBuffer.h"

#include "runtime/base/Hash.h"
#include "runtime/base/Utf8.h"
#include "runtime/record/ChunkBytes.h"
#include "runtime/shm/WriteSignalBlock.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <new>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace instantrace {

namespace {

constexpr size_t HeaderAlignment = 4096;
constexpr size_t LargestPageBytes = MaxPageSizeBytes;

size_t alignUp(size_t Value, size_t End) {
  return (Value + End - 1) / End * End;
}

/// Four pages are enough for both writers to have two chunks of a page each.
size_t pageSizeFor(size_t SizeBytes) {
  size_t Page = LargestPageBytes;
  while (Page > MinPageSizeBytes && Page * 4 > SizeBytes)
    Page /= 2;
  return Page;
}

/// Field 22 of /proc/self/stat; the command's name before it may hold anything
/// but ends at the last parenthesis.
uint64_t processStartTicks() {
  char Text[1024];
  FILE *Stat = std::fopen("/proc/self/stat", "re");
  if (!Stat)
    return 0;
  size_t Size = std::fread(Text, 1, sizeof(Text) - 1, Stat);
  std::fclose(Stat);
  Text[Size] = 0;
  const char *Cursor = std::strrchr(Text, ')');
  for (int Field = 2; Cursor && Field != 22; ++Field)
    Cursor = std::strchr(Cursor + 1, ' ');
  return Cursor ? std::strtoull(Cursor, nullptr, 10) : 0;
}

/// A path in it may be as long as paths are, and all of the session has to fit
/// into the header.
constexpr size_t LongestReason = 400;

std::string because(const std::string &Reason) {
  if (Reason.size() <= LongestReason)
    return Reason.empty() ? std::string() : ": " + Reason;
  return ": " + Reason.substr(0, utf8PrefixBytes(Reason, LongestReason)) +
         "...";
}

/// The sequence of the chunk in which the packet begins that the writer has not
/// ended yet; none when all packets are whole.
std::optional<uint32_t>
beginOfUnfinishedPacket(const std::vector<ChunkContent> &Chunks) {
  std::optional<uint32_t> Begin;
  for (const ChunkContent &C : Chunks) {
    if (C.WriterId != PacketsWriterId)
      continue;
    bool IsMiddle = (C.Flags & ContinuesFromPrevious) &&
                    C.FirstRecordOffset == C.SizeBytes &&
                    C.LastRecordOffset == 0;
    if (!(C.Flags & ContinuesOnNext))
      Begin.reset();
    else if (!IsMiddle || !Begin)
      Begin = C.Sequence;
  }
  return Begin;
}

std::string inFolder(std::string Folder, const std::string &Path) {
  if (Folder.back() != '/')
    Folder += '/';
  return Folder + Path.substr(Path.rfind('/') + 1);
}

/// ".0123456789abcdef": the same for all names of one file.
std::string pathMark(const std::string &Path) {
  std::error_code Ignored; // relative paths mark as well
  std::string Whole =
      std::filesystem::absolute(Path, Ignored).lexically_normal().string();
  char Mark[20];
  std::snprintf(Mark, sizeof(Mark), ".%016llx",
                static_cast<unsigned long long>(hashBytes(Whole)));
  return Mark;
}

bool isReplaceable(const std::string &Path) {
  struct stat Existing;
  return ::stat(Path.c_str(), &Existing) != 0 || S_ISREG(Existing.st_mode);
}

} // namespace

TraceBuffer::TraceBuffer(std::string Final, const TraceBufferOptions &Options,
                         size_t SessionBytes)
    : FinalPath(std::move(Final)),
      Source(Abi, {Options.Full, /*WriterCount=*/2}, drainFor, this),
      Events(Source, EventsWriterId), Packets(Source, PacketsWriterId),
      Reader(Abi, ChunkReader::Writers::Ours) {
  // Names that contain the process id are a little longer than the final one.
  size_t PathBytes = 2 * (FinalPath.size() + 64);
  Size.HeaderBytes =
      alignUp(sizeof(BufferHeader) + NewestEntityCount * sizeof(NewestEntity) +
                  SessionBytes + PathBytes,
              HeaderAlignment);
  Size.PageSizeBytes = pageSizeFor(Options.SizeBytes);
  Size.PageCount = std::max<size_t>(1, Options.SizeBytes / Size.PageSizeBytes);
  try {
    makeMemory(Options);
    File->replaceOnlyTraces();
  } catch (...) {
    discard();
    throw;
  }
  if (!Memory)
    return; // nothing is kept, and Header is NoHeader
  Header = new (Memory.data()) BufferHeader(); // zeros: MakingHeader
  Abi.initialize(Memory.data() + Size.HeaderBytes, Size.PageSizeBytes,
                 Size.PageCount,
                 Memory.isPrivate() ? SharedMemoryAbi::Mode::Emulation
                                    : SharedMemoryAbi::Mode::Shared);
}

TraceBuffer::~TraceBuffer() { discard(); }

void TraceBuffer::makeMemory(const TraceBufferOptions &Options) {
  if (Options.MakesParents) {
    std::error_code Ignored; // whoever needs the directory will tell
    auto Parent = std::filesystem::path(FinalPath).parent_path();
    if (!Parent.empty())
      std::filesystem::create_directories(Parent, Ignored);
  }
  size_t Bytes = Size.HeaderBytes + Size.PageSizeBytes * Size.PageCount;
  std::string Reason;
  if (!Options.Collector.empty() && makeCollected(Options, Bytes))
    return;
  // Without a name for the partial trace, the file takes one that nobody has.
  auto isMadeAs = [&](const std::string &Hidden, const std::string &Partial) {
    if (!Partial.empty() && !TraceFile::isPartialOurs(Partial))
      return false;
    std::string Failure;
    Memory = SharedMemory::makeFile(Hidden + ".buffer", Bytes, Failure);
    // Without a reason a living compile has this name.
    if (!Memory && Reason.empty())
      Reason = Failure;
    if (!Memory)
      return false;
    Description = "file" + because(CollectorFailure);
    File.emplace(FinalPath, Partial);
    if (!Partial.empty())
      File->replaceLeftover();
    return true;
  };
  // Nothing is made beside a device: it will be refused as the trace's place.
  if (!Options.IsPrivate && isReplaceable(FinalPath)) {
    bool IsMade = false;
    if (Options.Directory.empty()) {
      std::string Usual = hiddenPath(FinalPath);
      std::string Unique = uniqueHiddenPath(FinalPath);
      IsMade = isMadeAs(Usual, Usual + ".partial") ||
               isMadeAs(Unique, Unique + ".partial");
    } else {
      // Traces of several folders may have one name, and buffers of several
      // folders one trace. Who has the buffer's name has the partial's, too, so
      // that the next compile replaces both after a kill.
      std::string Elsewhere = inFolder(Options.Directory, FinalPath);
      std::string Usual = hiddenPath(Elsewhere) + pathMark(FinalPath);
      IsMade = isMadeAs(Usual, hiddenPath(FinalPath) + pathMark(Elsewhere) +
                                   ".partial") ||
               isMadeAs(uniqueHiddenPath(Elsewhere), {});
    }
    if (IsMade)
      return;
  }
  Description = Options.IsPrivate ? "private" + because(CollectorFailure)
                                  : "private" + because(Reason);
  File.emplace(FinalPath);
  Memory = SharedMemory::makePrivate(Bytes, Reason);
  if (!Memory)
    FinishFailure = "found no memory for a buffer of " +
                    std::to_string(Bytes / 1024) + " KiB";
}

void TraceBuffer::start(const Session &S) {
  SequenceId = S.SequenceId;
  SessionPackets = S.Packets;
  if (!Memory)
    return;
  BufferHeader &H = *Header;
  std::memcpy(H.Magic, BufferMagic.data(), BufferMagic.size());
  H.AbiVersion = SharedMemoryAbiVersion;
  H.ByteOrder = BufferByteOrder;
  H.HeaderBytes = static_cast<uint32_t>(Size.HeaderBytes);
  H.PageSizeBytes = static_cast<uint32_t>(Size.PageSizeBytes);
  H.PageCount = static_cast<uint32_t>(Size.PageCount);
  H.Pid = static_cast<uint32_t>(::getpid());
  H.ProcessStartTicks = processStartTicks();
  H.RealtimeNs = S.RealtimeNs;
  H.MonotonicNs = S.MonotonicNs;
  H.SequenceId = S.SequenceId;
  H.WriterCount = 2;
  H.Writers[0] = {EventsWriterId, static_cast<uint16_t>(WriterContent::Events)};
  H.Writers[1] = {PacketsWriterId,
                  static_cast<uint16_t>(WriterContent::Packets)};
  size_t Index = sizeof(BufferHeader);
  auto put = [&](ByteRange &Range, std::string_view Bytes) {
    // The constructor made room for all of it. A part would be worse than
    // nothing: who reads it takes it for damage, and with it the whole buffer.
    if (Bytes.size() > Size.HeaderBytes - Index)
      Bytes = {};
    if (!Bytes.empty())
      std::memcpy(Memory.data() + Index, Bytes.data(), Bytes.size());
    Range = {static_cast<uint32_t>(Index), static_cast<uint32_t>(Bytes.size())};
    Index += Bytes.size();
  };
  Index = alignUp(Index, alignof(NewestEntity));
  H.NewestEntities = {static_cast<uint32_t>(Index),
                      NewestEntityCount * sizeof(NewestEntity)};
  NewestEntitiesOffset = Index;
  Index += NewestEntityCount * sizeof(NewestEntity);
  put(H.Session, S.Packets);
  put(H.FinalPath, FinalPath);
  put(H.PartialPath, File->partialPath());
  uint64_t Hash =
      fnv1a(FnvStart, Memory.data(), offsetof(BufferHeader, Checksum));
  for (ByteRange Range : {H.Session, H.FinalPath, H.PartialPath})
    Hash = fnv1a(Hash, Memory.data() + Range.Offset, Range.SizeBytes);
  H.Checksum = Hash;
  if (Link)
    startShared();
  // Release: who sees that we record sees the header. Pairs with the load in
  // takeSnapshot().
  H.Live.Phase.store(static_cast<uint32_t>(BufferPhase::Recording),
                     std::memory_order_release);
  if (Link)
    Link.sendHello(Memory.descriptor(), File->descriptor());
}

/// Null: nobody could read it.
inline NewestEntity *TraceBuffer::newestSlot(uint32_t EntityId) {
  if (!Memory || NewestEntitiesOffset == 0)
    return nullptr;
  return reinterpret_cast<NewestEntity *>(Memory.data() +
                                          NewestEntitiesOffset) +
         EntityId % NewestEntityCount;
}

void TraceBuffer::noteWholeName(uint32_t EntityId, const EntityRow &Row) {
  NewestEntity *Slot = newestSlot(EntityId);
  // Of another one if more wait than there are slots.
  if (!Slot || Slot->EntityId.load(std::memory_order_relaxed) != EntityId)
    return;
  Slot->TemplateSet = Row.TemplateSet.Value;
  Slot->Kind = static_cast<uint32_t>(Row.Kind);
  // Release: the rest is there when the name is.
  Slot->Name.store(Row.Name.Value, std::memory_order_release);
}

void TraceBuffer::noteNewestEntity(uint32_t EntityId,
                                   std::string_view ShortName,
                                   uint32_t LineNo) {
  NewestEntity *Slot = newestSlot(EntityId);
  if (!Slot)
    return;
  // A reader that sees the id before and after the text has that id's text: it
  // does not change before the id is gone.
#if defined(__x86_64__)
  // Stores stay in order, and a locked instruction would wait for all of them.
  Slot->EntityId.store(0, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_acq_rel);
#else
  // Acquire. Not a fence, which TSan does not know.
  Slot->EntityId.exchange(0, std::memory_order_acq_rel);
#endif
  Slot->Name.store(0, std::memory_order_relaxed);
  Slot->LineNo = LineNo;
  size_t Bytes = std::min(ShortName.size(), sizeof(Slot->Text));
  std::memcpy(Slot->Text, ShortName.data(), Bytes);
  if (Bytes != sizeof(Slot->Text))
    std::memset(Slot->Text + Bytes, 0, sizeof(Slot->Text) - Bytes);
  Slot->EntityId.store(EntityId, std::memory_order_release);
}

bool TraceBuffer::isUsable() {
  if (!Memory.isCut())
    return static_cast<bool>(Memory);
  if (FinishFailure.empty())
    FinishFailure = Memory.path() + ": somebody else has cut it";
  Memory.removeFile(); // nothing is in it
  return false;
}

bool TraceBuffer::drain() {
  if (!isUsable())
    return false;
  if (Shared)
    return drainShared();
  Packets.complete();
  Pending.clear();
  if (File->sizeBytes() == 0)
    Pending = SessionPackets;
  const DrainRecord &Before = Header->Live.Drained[drainIndex()];
  LastSequences Last{Before.LastSequence[0], Before.LastSequence[1]};
  const std::vector<ChunkContent> &Chunks = Reader.acquire();
  std::optional<uint32_t> HeldBack = beginOfUnfinishedPacket(Chunks);
  auto isTaken = [&HeldBack](const ChunkContent &C) {
    return C.WriterId != PacketsWriterId || !HeldBack ||
           isSequenceBefore(C.Sequence, *HeldBack);
  };
  // A packet that fills the whole buffer has to be taken in pieces. It is lost,
  // with what refers to it, when the compiler is killed before its end.
  if (std::none_of(Chunks.begin(), Chunks.end(), isTaken) && !hasRoom())
    HeldBack.reset();
  if (HeldBack) {
    std::vector<ChunkContent> Taken;
    std::copy_if(Chunks.begin(), Chunks.end(), std::back_inserter(Taken),
                 isTaken);
    appendChunks(Taken, SequenceId, Assembler, Pending, Last);
  } else {
    appendChunks(Chunks, SequenceId, Assembler, Pending, Last);
  }
  if (!Pending.empty() && !File->append(Pending)) {
    Reader.abandon();
    return false;
  }
  recordDrained(Last.Events, Last.Packets);
  if (HeldBack)
    Reader.releaseBefore(PacketsWriterId, *HeldBack);
  else
    Reader.release();
  return true;
}

bool TraceBuffer::hasRoom() const {
  for (size_t Page = 0; Page != Abi.pageCount(); ++Page)
    if (Abi.isPageFree(Page) || Abi.freeChunks(Page) != 0)
      return true;
  return false;
}

void TraceBuffer::recordDrained(uint32_t LastEvents, uint32_t LastPackets) {
  LiveState &Live = Header->Live;
  uint32_t Next = 1 - drainIndex();
  Live.Drained[Next].FileBytes = File->sizeBytes();
  Live.Drained[Next].LastSequence[0] = LastEvents;
  Live.Drained[Next].LastSequence[1] = LastPackets;
  // Release: the record is whole before it is the one that counts, and that
  // comes before the chunks are freed. Pairs with the load in takeSnapshot().
  Live.DrainIndex.store(Next, std::memory_order_release);
}

bool TraceBuffer::drainAll() {
  Events.complete();
  return Shared ? drainAllShared() : drain();
}

void TraceBuffer::setPhase(BufferPhase Phase) {
  Header->Live.Phase.store(static_cast<uint32_t>(Phase),
                           std::memory_order_release);
}

bool TraceBuffer::commit(bool KeepsExisting) {
  // Before the rename: a trace under its final name needs no recovery.
  setPhase(BufferPhase::Finished);
  File->commit(KeepsExisting);
  if (File->error().empty())
    return true;
  setPhase(BufferPhase::Recording);
  return false;
}

bool TraceBuffer::finish(bool KeepsExisting) {
  if (!isUsable() || !File->error().empty())
    return false;
  if (Shared)
    return finishShared(KeepsExisting);
  if (!commit(KeepsExisting))
    return false;
  Memory.removeFile();
  return true;
}

void TraceBuffer::discard() {
  if (Shared && Memory)
    setPhase(BufferPhase::Finished);
  if (File)
    File->discard();
  Memory.removeFile();
  Link.close();
}

void TraceBuffer::leave() {
  if (Memory.isPrivate())
    return discard();
  File->leave();
  Reader.abandon(); // what a drain that was cut short has, goes with the memory
  Shared.reset();
  Memory = SharedMemory(); // unmaps and unlocks, and keeps the file
  Link.close();            // the last: now the collector may finish it
}

std::string TraceBuffer::leftoverPath() const {
  return Memory.isPrivate() ? std::string() : Memory.path();
}

} // namespace instantrace
