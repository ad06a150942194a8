#include "runtime/record/TraceFile.h"

#include "runtime/base/Hash.h"
#include "runtime/base/Utf8.h"
#include "runtime/format/Record.h"
#include "runtime/shm/WriteSignalBlock.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace instantrace {

namespace {

/// Returns 0 or the errno, and then the file ends at \p FileBytes.
int writeOrCut(int Descriptor, uint64_t FileBytes, std::string_view Bytes) {
  WriteSignalBlock Block;
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

/// 0 or the errno; EEXIST: something has the name \p Target.
int renameToFree(const std::string &Source, const std::string &Target) {
  if (::renameat2(AT_FDCWD, Source.c_str(), AT_FDCWD, Target.c_str(),
                  RENAME_NOREPLACE) == 0)
    return 0;
  if (errno != EINVAL && errno != ENOSYS)
    return errno;
  // Network file systems and old kernels cannot, and then we look first.
  struct stat Status;
  if (::lstat(Target.c_str(), &Status) == 0)
    return EEXIST;
  return ::rename(Source.c_str(), Target.c_str()) == 0 ? 0 : errno;
}

/// False if it cannot be read.
bool isForeign(const std::string &Path) {
  // The magic is in the first packet, behind two tags and two lengths.
  char Head[32];
  int File = ::open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (File < 0)
    return false;
  ssize_t Got = ::read(File, Head, sizeof(Head));
  ::close(File);
  return Got > 0 &&
         std::string_view(Head, static_cast<size_t>(Got)).find(FormatMagic) ==
             std::string_view::npos;
}

/// File systems have names of up to 255 bytes, and endings need some.
constexpr size_t LongestHiddenName = 200;

} // namespace

std::string hiddenPath(const std::string &FinalPath) {
  size_t NameAt = FinalPath.rfind('/');
  NameAt = NameAt == std::string::npos ? 0 : NameAt + 1;
  std::string Name = FinalPath.substr(NameAt);
  if (Name.size() > LongestHiddenName) {
    char Hash[20];
    std::snprintf(Hash, sizeof(Hash), "-%016llx",
                  static_cast<unsigned long long>(hashBytes(Name)));
    Name = Name.substr(0, utf8PrefixBytes(Name, LongestHiddenName - 17)) + Hash;
  }
  return FinalPath.substr(0, NameAt) + "." + Name;
}

std::string uniqueHiddenPath(const std::string &FinalPath) {
  return hiddenPath(FinalPath) + "." + std::to_string(::getpid()) + "-" +
         std::to_string(unguessableNumber());
}

TraceFile::TraceFile(std::string Final, std::string Partial)
    : FinalPath(std::move(Final)), PartialPath(std::move(Partial)) {
  if (PartialPath.empty())
    PartialPath = uniqueHiddenPath(FinalPath) + ".partial";
}

TraceFile::~TraceFile() { discard(); }

bool TraceFile::fail(const std::string &Path, int ErrorNumber) {
  if (ErrorText.empty())
    ErrorText = Path + ": " + std::strerror(ErrorNumber);
  return false;
}

bool TraceFile::isReplaceable() {
  struct stat Existing;
  if (::stat(FinalPath.c_str(), &Existing) != 0)
    return true;
  // The superuser may rename over /dev/null, and then it is gone.
  bool IsFile = S_ISREG(Existing.st_mode);
  if (IsFile && (!ReplacesOnlyTraces || !isForeign(FinalPath)))
    return true;
  if (ErrorText.empty())
    ErrorText = FinalPath + (IsFile ? ": found a file that is no trace, "
                                      "expected none or a trace"
                                    : ": not a regular file");
  return false;
}

bool TraceFile::open(int MoreFlags) {
  if (Descriptor >= 0)
    return true;
  if (!isReplaceable())
    return false;
  int Flags = (MoreFlags != 0 ? O_RDWR : O_WRONLY) | MoreFlags;
  Flags |= O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
  Partial = UnfinishedFile(PartialPath);
  Descriptor = ::open(PartialPath.c_str(), Flags, 0666);
  // Removed and not emptied: somebody may be reading it.
  if (Descriptor < 0 && errno == EEXIST && ReplacesLeftover &&
      isPartialOurs(PartialPath)) {
    ::unlink(PartialPath.c_str());
    Descriptor = ::open(PartialPath.c_str(), Flags, 0666);
  }
  if (Descriptor < 0) {
    Partial.keep();
    return fail(errno == EEXIST ? PartialPath : FinalPath, errno);
  }
  // So that whoever finds it later can tell that its compile lives: it need not
  // have a buffer that says so.
  ::flock(Descriptor, LOCK_EX | LOCK_NB);
  // What the umask, or the folder, makes of the mode shows when a file is
  // made; it is for the trace when it is complete.
  struct stat Status;
  if (::fstat(Descriptor, &Status) == 0) {
    setMode(Status.st_mode);
    ::fchmod(Descriptor, FinalMode & 0700);
  }
  return true;
}

bool TraceFile::isPartialOurs(const std::string &PartialPath) {
  struct stat Status;
  if (::lstat(PartialPath.c_str(), &Status) != 0)
    return errno == ENOENT;
  return S_ISREG(Status.st_mode) && Status.st_uid == ::geteuid() &&
         Status.st_nlink == 1;
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
  bool IsNew = ::stat(FinalPath.c_str(), &Existing) != 0;
  if (KeepsExisting && !IsNew && Existing.st_size > 0)
    return discard();
  int Reason = rename(/*OnlyAsNew=*/KeepsExisting && IsNew);
  if (Reason != 0 && !(KeepsExisting && Reason == EEXIST))
    fail(FinalPath, Reason);
}

bool TraceFile::commitAsNew() {
  if (!ErrorText.empty() || Descriptor < 0)
    return true;
  int Reason = rename(/*OnlyAsNew=*/true);
  if (Reason != 0 && Reason != EEXIST)
    fail(FinalPath, Reason);
  return Reason != EEXIST;
}

int TraceFile::rename(bool OnlyAsNew) {
  if (FinalMode != 0)
    ::fchmod(Descriptor, FinalMode);
  // close() is where some network file systems report a full disk.
  int Reason = ::close(Descriptor) == 0 ? 0 : errno;
  Descriptor = -1;
  if (Reason == 0 && OnlyAsNew)
    Reason = renameToFree(PartialPath, FinalPath);
  else if (Reason == 0 && ::rename(PartialPath.c_str(), FinalPath.c_str()) != 0)
    Reason = errno;
  if (Reason == 0)
    Partial.keep();
  else if (Reason == EEXIST)
    discard();
  return Reason;
}

void TraceFile::discard() {
  if (Descriptor >= 0)
    ::close(Descriptor);
  Descriptor = -1;
  Partial.remove();
}

void TraceFile::leave() {
  if (Descriptor >= 0)
    ::close(Descriptor);
  Descriptor = -1;
  Partial.keep();
}

} // namespace instantrace
