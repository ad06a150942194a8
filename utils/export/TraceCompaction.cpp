#include "utils/export/TraceCompaction.h"

#include "runtime/read/SequenceReader.h"
#include "runtime/read/TraceReader.h"
#include "runtime/record/TraceFile.h"
#include "utils/open/CompressedTrace.h"
#include "utils/open/FileKind.h"
#include "utils/open/Leftovers.h"
#include "utils/system/FileDescriptor.h"
#include "utils/system/HoleWatch.h"

#include <algorithm>
#include <cerrno>

using namespace instantrace;

namespace {

/// All of an open file.
Result<std::string> bytesOf(const FileDescriptor &File,
                            const std::string &Path) {
  std::string Bytes;
  HoleWatch Holes;
  size_t Used = 0;
  while (true) {
    if (Bytes.size() - Used < HoleWatch::PieceBytes)
      Bytes.resize(std::max(Bytes.size() * 2, HoleWatch::PieceBytes));
    ssize_t Got =
        ::read(File.get(), Bytes.data() + Used, HoleWatch::PieceBytes);
    if (Got < 0 && errno == EINTR)
      continue;
    if (Got < 0)
      return systemError(Path);
    if (Got == 0)
      break;
    Used += static_cast<size_t>(Got);
    if (!Holes.goesOn({Bytes.data() + Used - Got, static_cast<size_t>(Got)}))
      return makeError(Path, "256 KiB of zeros", "a trace without a hole");
  }
  Bytes.resize(Used);
  return Bytes;
}

/// Begins as a trace does; damage further on is nobody's concern here.
Result<void> checkTrace(const std::string &Path, std::string_view Bytes) {
  PacketFraming Framing(Bytes);
  std::optional<std::string_view> First = Framing.next();
  if (First && packetBody(*First) == PacketBody::FileHeader)
    return {};
  std::string Kind = fileKind(Bytes);
  return makeError(Path, Kind.empty() ? "something else" : Kind,
                   "a trace of the plugin (x.itrace)");
}

/// Something of another kind has the name that the new file is to get.
Result<void> checkReplaceable(const std::string &Path) {
  struct stat Status;
  if (::lstat(Path.c_str(), &Status) != 0 || Status.st_size == 0)
    return {};
  FileDescriptor File = openRegularFile(Path);
  if (S_ISREG(Status.st_mode) && File) {
    Result<std::string> Bytes = bytesOf(File, Path);
    if (!Bytes)
      return Bytes.error();
    if (checkTrace(Path, isCompressed(*Bytes) ? expandTrace(*Bytes).Bytes
                                              : std::move(*Bytes)))
      return {};
  }
  return makeError(Path, "something else than a trace",
                   "none, or a trace to replace");
}

std::string partialName(const std::string &Path) {
  return uniqueHiddenPath(Path) + ".new";
}

Result<void> commitTo(TraceFile &File) {
  INSTANTRACE_TRY(checkReplaceable(File.path()));
  File.commit(/*KeepsExisting=*/false);
  if (File.error().empty())
    return {};
  Error Failure{File.error()};
  File.discard();
  return Failure;
}

/// What is newest, and who may read it, is to stay as it was; so it is before
/// anybody finds the file under its name.
Result<void> writeAs(const std::string &Path, std::string_view Bytes,
                     const FileDescriptor &Source) {
  INSTANTRACE_TRY(checkReplaceable(Path));
  TraceFile File(Path, partialName(Path));
  struct stat Status;
  if (::fstat(Source.get(), &Status) != 0)
    return systemError(Path);
  const timespec Times[] = {Status.st_atim, Status.st_mtim};
  if (File.append(Bytes)) {
    File.setMode(Status.st_mode);
    // What it is made of goes next.
    if (::futimens(File.descriptor(), Times) != 0 ||
        ::fdatasync(File.descriptor()) != 0)
      return systemError(Path);
  }
  return commitTo(File);
}

} // namespace

Result<CompactedFile> instantrace::compactFile(const std::string &Path,
                                               const Compaction &How) {
  struct stat Status;
  if (::lstat(Path.c_str(), &Status) != 0)
    return systemError(Path);
  if (S_ISLNK(Status.st_mode))
    return makeError(Path, "a link", "the trace itself");
  FileDescriptor File = openRegularFile(Path);
  if (!File)
    return systemError(Path);
  INSTANTRACE_TRY_ASSIGN(const std::string Before, bytesOf(File, Path));
  CompactedFile Done{Path, Path, Before.size(), Before.size()};
  if (isCompressed(Before)) {
    ExpandedTrace Expanded = expandTrace(Before);
    if (!Expanded.Damage.empty())
      return Error{Path + ": " + Expanded.Damage};
    INSTANTRACE_TRY(checkTrace(Path, Expanded.Bytes));
    return Done;
  }
  INSTANTRACE_TRY(checkTrace(Path, Before));
  Done.NewPath = Path + std::string(CompressedEnding);
  Result<std::string> Compressed = compressTrace(Before, How.Level);
  if (!Compressed)
    return Error{Path + ": zstd: " + Compressed.error().Message};
  if (expandTrace(*Compressed).Bytes != Before)
    return makeError(Path, "another trace after compression and expansion",
                     "the same; it is kept as it is");
  Done.BytesAfter = Compressed->size();
  INSTANTRACE_TRY(writeAs(Done.NewPath, *Compressed, File));
  // A compile may have put a newer one there by now.
  if (!How.Keeps && isNameOf(File, Path) && ::unlink(Path.c_str()) != 0)
    return systemError(Path);
  return Done;
}

NewTrace::NewTrace(const std::string &Path)
    : File(Path, partialName(Path)),
      Compresses(Path.ends_with(CompressedEnding)) {}

Result<void> NewTrace::append(std::string_view Packets) {
  std::string Compressed;
  if (Compresses) {
    Result<std::string> Made =
        compressTrace(Packets, CompressionLevel::Default);
    if (!Made)
      return Error{File.path() + ": zstd: " + Made.error().Message};
    Compressed = std::move(*Made);
    Packets = Compressed;
  }
  if (!File.append(Packets))
    return Error{File.error()};
  return {};
}

Result<uint64_t> NewTrace::commit() {
  INSTANTRACE_TRY(commitTo(File));
  return File.sizeBytes();
}
