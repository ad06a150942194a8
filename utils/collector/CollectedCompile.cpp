#include "utils/collector/CollectedCompile.h"

#include "runtime/record/ChunkBytes.h"
#include "runtime/record/TraceFile.h"
#include "runtime/shm/CollectorLink.h"
#include "runtime/shm/SnapshotHeader.h"
#include "utils/open/Leftovers.h"
#include "utils/recover/RecoveryTarget.h"
#include "utils/system/SystemClock.h"

#include <cstring>
#include <filesystem>
#include <new>
#include <sys/socket.h>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

constexpr unsigned MaxReceives = 64; ///< of one producer in one round

std::string pathOf(int Descriptor) {
  std::error_code Failed;
  return fs::read_symlink("/proc/self/fd/" + std::to_string(Descriptor), Failed)
      .string();
}

} // namespace

Result<CollectedCompile::Connection> CollectedCompile::receive() {
  for (unsigned I = 0; I != MaxReceives; ++I) {
    char Bytes[256];
    int Passed[2];
    long Got =
        receiveDescriptors(Socket.get(), Passed, 2, Bytes, sizeof(Bytes));
    if (Got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
      return Connection::Open;
    if (Got > 0 && !Drain) {
      INSTANTRACE_TRY(
          begin(Bytes, static_cast<size_t>(Got), Passed[0], Passed[1]));
      continue;
    }
    for (int Descriptor : Passed)
      if (Descriptor >= 0)
        ::close(Descriptor);
    if (Got <= 0) // ECONNRESET, too: it went with bytes of ours unread
      return Connection::Closed;
  }
  return Connection::Open;
}

Result<CollectedCompile::Connection> CollectedCompile::begin(const void *Bytes,
                                                             size_t SizeBytes,
                                                             int BufferFile,
                                                             int TraceFile) {
  FileDescriptor Buffer(BufferFile), Trace(TraceFile);
  ucred Peer = {};
  socklen_t Size = sizeof(Peer);
  if (::getsockopt(Socket.get(), SOL_SOCKET, SO_PEERCRED, &Peer, &Size) != 0 ||
      Peer.uid != ::geteuid())
    return Error{Name + ": is another user's"};
  Name = "process " + std::to_string(Peer.pid);
  CollectorHello Hello;
  if (SizeBytes < sizeof(Hello))
    return makeError(Name, "a hello of " + std::to_string(SizeBytes) + " bytes",
                     std::to_string(sizeof(Hello)));
  std::memcpy(&Hello, Bytes, sizeof(Hello));
  if (std::memcmp(Hello.Magic, CollectorMagic.data(), CollectorMagic.size()) !=
      0)
    return Error{Name + ": its hello is not one of ours"};
  if (Hello.Version != CollectorProtocolVersion ||
      Hello.AbiVersion != SharedMemoryAbiVersion)
    return makeError(Name,
                     "collector protocol " + std::to_string(Hello.Version) +
                         " with buffer version " +
                         std::to_string(Hello.AbiVersion),
                     std::to_string(CollectorProtocolVersion) + " with " +
                         std::to_string(SharedMemoryAbiVersion));
  struct stat Status;
  if (!Buffer || !Trace || ::fstat(Trace.get(), &Status) != 0)
    return Error{Name +
                 ": its buffer or its trace did not arrive, as where too many "
                 "files are open (ulimit -n); it writes its trace itself"};
  constexpr int Wanted = O_RDWR | O_APPEND;
  if (!S_ISREG(Status.st_mode) ||
      (::fcntl(Trace.get(), F_GETFL) & (O_ACCMODE | O_APPEND)) != Wanted)
    return Error{Name +
                 ": its trace is not a regular file to read and append to"};
  Partial = std::move(Trace);
  PartialPath = pathOf(Partial.get());
  struct stat BufferStatus;
  if (::fstat(Buffer.get(), &BufferStatus) != 0 ||
      static_cast<uint64_t>(BufferStatus.st_size) > MaxBufferBytes)
    return Error{Name + ": its buffer is larger than " +
                 std::to_string(MaxBufferBytes) + " bytes"};
  std::string Why;
  int Second = ::dup(Buffer.get());
  if (Second < 0)
    return Error{Name + ": " + systemMessage(errno) +
                 "; it writes its trace itself"};
  Memory = SharedMemory::adopt(Second, Why);
  if (!Memory)
    return Error{Name + ": " + Why};
  INSTANTRACE_TRY(adopt());
  ProcessId = static_cast<uint32_t>(Peer.pid);
  Process = openPeer(Socket.get());
  return Connection::Open;
}

void CollectedCompile::lookAtUsage() {
  if (std::optional<ProcessUsage> Now = processUsage(ProcessId))
    Usage.update(*Now);
}

std::optional<LiveFrame>
CollectedCompile::look(uint64_t MostBytes,
                       const LiveCompile::TextFunction &TextOf) {
  BufferSnapshot Now;
  std::string Why;
  struct stat File;
  if (!Drain || ::fstat(Partial.get(), &File) != 0 ||
      static_cast<uint64_t>(File.st_size) > MostBytes ||
      !takeSnapshot(FileBufferImage(Memory.descriptor()), Now, Why)) {
    Live.reset();
    return std::nullopt;
  }
  if (!Live)
    Live = std::make_unique<LiveCompile>();
  FileBufferImage Written(Partial.get());
  return Live->look(Now, &Written, LiveFrame::StateKind::Running, monotonicNs(),
                    TextOf);
}

Result<void> CollectedCompile::adopt() {
  BufferSnapshot Header;
  SnapshotGeometry Geometry;
  std::string Why;
  if (!readSnapshotHeader(FileBufferImage(Memory.descriptor()), Header,
                          Geometry, Why))
    return Error{Name + ": its buffer is unusable: " + Why};
  if (Geometry.HeaderBytes +
          uint64_t(Geometry.PageCount) * Geometry.PageSizeBytes >
      Memory.sizeBytes())
    return Error{Name + ": its buffer ends before its last page"};
  // We look for fragments in the packets writer's chunks alone.
  std::vector<WriterDescription> Writers;
  for (const SnapshotWriter &W : Header.Writers) {
    bool IsEvents = W.Content == WriterContent::Events;
    if (W.Id != (IsEvents ? EventsWriterId : PacketsWriterId))
      return makeError(Name,
                       "writer " + std::to_string(W.Id) + " in its buffer",
                       "1 for events and 2 for packets");
    Writers.push_back({W.Id, static_cast<uint16_t>(W.Content)});
  }
  if (!Abi.initialize(Memory.data() + Geometry.HeaderBytes,
                      Geometry.PageSizeBytes, Geometry.PageCount,
                      SharedMemoryAbi::Mode::Shared))
    return Error{Name + ": its buffer has no pages"};
  auto *Live = &reinterpret_cast<BufferHeader *>(Memory.data())->Live;
  Drain.emplace(Abi, *Live, DrainOwner::Collector, std::move(Writers));
  SequenceId = Header.SequenceId;
  Pid = Header.Pid;
  FinalName = fs::path(Header.FinalPath).filename().string();
  return {};
}

Result<uint64_t> CollectedCompile::drain() {
  if (!Drain || !Drain->tryLock())
    return uint64_t(0);
  uint64_t FileBytes = Drain->current().FileBytes;
  const std::vector<ChunkContent> &Chunks = Drain->select(PassBytes);
  // Should anything go wrong, the chunks stay as they are for the producer.
  if (Drain->malformedChunks() != 0 || FileBytes > MaxTraceBytes) {
    Drain->unlock();
    return Error{Name + ": its buffer is malformed"};
  }
  uint64_t Written = 0;
  if (!Chunks.empty()) {
    Pending.clear();
    LastSequences Ignored;
    appendChunks(Chunks, SequenceId, Assembler, Pending, Ignored);
    if (int Reason = appendToTrace(Partial.get(), FileBytes, Pending)) {
      Drain->unlock();
      return Error{PartialPath + ": " + systemMessage(Reason)};
    }
    Written = Pending.size();
    Drain->record(FileBytes + Written);
    Drain->release();
  }
  Drain->unlock();
  return Written;
}

bool CollectedCompile::hasPartialName() const {
  // Of a short compile, the hello is read when the trace has its final name.
  return fs::path(PartialPath).filename() != FinalName &&
         isNameOf(Partial, PartialPath);
}

std::optional<RecoveryReport> CollectedCompile::finish() {
  if (!Drain)
    return std::nullopt;
  lookAtUsage(); // its parent may not have taken note of its end yet
  try {
    return recover();
  } catch (const std::bad_alloc &) {
    RecoveryReport Report;
    Report.Error = PartialPath + ": out of memory";
    return Report;
  }
}

RecoveryReport CollectedCompile::recover() {
  RecoveryReport Report;
  Report.Pid = Pid;
  Leftover L;
  L.BufferPath = Report.Input = "memfd of " + Name;
  FileBufferImage Image(Memory.descriptor());
  std::string Why;
  if (!takeSnapshot(Image, L.Buffer, Why)) {
    Report.Error = Report.Input + ": " + Why;
    return Report;
  }
  // The name tells of a producer that was killed before it renamed its trace.
  bool IsNamed = hasPartialName();
  Report.Output = (fs::path(PartialPath).parent_path() / FinalName).string();
  if (L.Buffer.Phase == BufferPhase::Finished && !IsNamed) {
    Report.Outcome = RecoveryReport::Finished;
    return Report;
  }
  if (L.Buffer.PartialFileBytes > MaxTraceBytes) {
    Report.Error = PartialPath + ": found more than " +
                   std::to_string(MaxTraceBytes) +
                   " bytes that count, which is left to instantrace recover";
    return Report;
  }
  L.PartialPath = PartialPath;
  L.PartialFile = std::move(Partial);
  Partial = FileDescriptor();
  Result<RecoveredTrace> Trace = recoverLeftover(L);
  if (!Trace) {
    Report.Error = Trace.error().Message;
    return Report;
  }
  Trace->PeakRssBytes = Usage.PeakBytes;
  Trace->UserTimeNs = Usage.UserNs;
  Trace->SystemTimeNs = Usage.SystemNs;
  if (Trace->Signal == 0)
    Trace->Signal = Usage.Signal ? Usage.Signal : endSignal(Process);
  addInterruptedFooter(*Trace);
  Report.take(*Trace);
  L.BufferPath.clear(); // it has no name: the trace goes beside the other
  Result<FileDescriptor> Folder = openFolderOf(PartialPath, "");
  if (!Folder) {
    Report.Error = Folder.error().Message;
    return Report;
  }
  RecoveryTarget Target("");
  Result<RecoveryTarget::Written> Written =
      Target.write(Trace->Bytes, *Folder, L.finalName());
  if (!Written) {
    Report.Error = Written.error().Message;
    return Report;
  }
  if (IsNamed)
    ::unlink(PartialPath.c_str());
  Report.Outcome = RecoveryReport::Recovered;
  Report.Output = Written->Path;
  Report.Kept = Written->Kept;
  return Report;
}
