#include "runtime/trace/TraceFile.h"

#include "runtime/shm/FileSizeSignalBlock.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace instantrace {

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

bool TraceFile::open() {
  if (Descriptor >= 0)
    return true;
  if (!isReplaceable())
    return false;
  Descriptor =
      ::open(PartialPath.c_str(),
             O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
  return Descriptor >= 0 || fail(FinalPath, errno);
}

bool TraceFile::append(std::string_view Bytes) {
  if (!ErrorText.empty() || !open())
    return false;
  FileSizeSignalBlock Block;
  size_t Size = Bytes.size();
  while (!Bytes.empty()) {
    ssize_t Written = ::write(Descriptor, Bytes.data(), Bytes.size());
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written < 0) {
      int Reason = errno;
      // What was written before is good. Should it not be possible to cut off
      // the rest, the buffer knows the length that counts.
      [[maybe_unused]] int Cut =
          ::ftruncate(Descriptor, static_cast<off_t>(SizeBytes));
      return fail(FinalPath, Reason);
    }
    Bytes.remove_prefix(static_cast<size_t>(Written));
  }
  SizeBytes += Size;
  return true;
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
