#include "runtime/record/TraceFile.h"

#include "runtime/shm/FileSizeSignalBlock.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace instantrace {

namespace {

/// Returns 0 or the errno, and then the file ends at \p FileBytes.
int writeOrCut(int Descriptor, uint64_t FileBytes, std::string_view Bytes) {
  FileSizeSignalBlock Block;
  while (!Bytes.empty()) {
    ssize_t Written = ::write(Descriptor, Bytes.data(), Bytes.size());
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written < 0) {
      int Reason = errno;
      [[maybe_unused]] int Cut =
          ::ftruncate(Descriptor, static_cast<off_t>(FileBytes));
      return Reason;
    }
    Bytes.remove_prefix(static_cast<size_t>(Written));
  }
  return 0;
}

} // namespace

std::string hiddenPath(const std::string &FinalPath, bool WithPid) {
  size_t NameAt = FinalPath.rfind('/');
  NameAt = NameAt == std::string::npos ? 0 : NameAt + 1;
  std::string Hidden =
      FinalPath.substr(0, NameAt) + "." + FinalPath.substr(NameAt);
  return WithPid ? Hidden + "." + std::to_string(getpid()) : Hidden;
}

TraceFile::TraceFile(std::string FinalPath, std::string PartialPath)
    : FinalPath(std::move(FinalPath)), PartialPath(std::move(PartialPath)) {
  if (this->PartialPath.empty())
    this->PartialPath =
        hiddenPath(this->FinalPath, /*WithPid=*/true) + ".partial";
}

TraceFile::~TraceFile() { discard(); }

bool TraceFile::fail(const std::string &Path, int ErrorNumber) {
  if (ErrorText.empty())
    ErrorText = Path + ": " + std::strerror(ErrorNumber);
  return false;
}

bool TraceFile::isReplaceable() {
  struct stat Existing;
  if (::stat(FinalPath.c_str(), &Existing) != 0 || S_ISREG(Existing.st_mode))
    return true;
  // The superuser may rename over /dev/null, and then it is gone.
  if (ErrorText.empty())
    ErrorText = FinalPath + ": not a regular file";
  return false;
}

bool TraceFile::open(int MoreFlags) {
  if (Descriptor >= 0)
    return true;
  if (!isReplaceable())
    return false;
  int Access = MoreFlags != 0 ? O_RDWR : O_WRONLY;
  Descriptor = ::open(
      PartialPath.c_str(),
      Access | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | MoreFlags, 0666);
  return Descriptor >= 0 || fail(FinalPath, errno);
}

bool TraceFile::openShared() { return open(O_APPEND); }

bool TraceFile::settle(uint64_t FileBytes) {
  if (!ErrorText.empty())
    return false;
  int Reason = appendToTrace(Descriptor, FileBytes, {});
  if (Reason != 0)
    return fail(FinalPath, Reason);
  SizeBytes = FileBytes;
  return true;
}

bool TraceFile::append(std::string_view Bytes) {
  if (!ErrorText.empty() || !open())
    return false;
  // What was written before is good. Should it not be possible to cut off the
  // rest, the buffer knows the length that counts.
  if (int Reason = writeOrCut(Descriptor, SizeBytes, Bytes); Reason != 0)
    return fail(FinalPath, Reason);
  SizeBytes += Bytes.size();
  return true;
}

int appendToTrace(int Descriptor, uint64_t FileBytes, std::string_view Bytes) {
  struct stat Status;
  if (::fstat(Descriptor, &Status) != 0)
    return errno;
  auto Found = static_cast<uint64_t>(Status.st_size);
  if (Found < FileBytes)
    return EINVAL;
  if (Found > FileBytes &&
      ::ftruncate(Descriptor, static_cast<off_t>(FileBytes)) != 0)
    return errno;
  return writeOrCut(Descriptor, FileBytes, Bytes);
}

void TraceFile::commit(bool KeepsExisting) {
  if (!ErrorText.empty() || Descriptor < 0 || !isReplaceable())
    return;
  struct stat Existing;
  if (KeepsExisting && ::stat(FinalPath.c_str(), &Existing) == 0 &&
      Existing.st_size > 0)
    return discard();
  // close() is where some network file systems report a full disk.
  int Closed = ::close(Descriptor);
  Descriptor = -1;
  if (Closed != 0 || ::rename(PartialPath.c_str(), FinalPath.c_str()) != 0) {
    fail(FinalPath, errno);
    ::unlink(PartialPath.c_str());
  }
}

void TraceFile::discard() {
  if (Descriptor < 0)
    return;
  ::close(Descriptor);
  Descriptor = -1;
  ::unlink(PartialPath.c_str());
}

void TraceFile::leave() {
  if (Descriptor >= 0)
    ::close(Descriptor);
  Descriptor = -1;
}

} // namespace instantrace
