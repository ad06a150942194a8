#include "runtime/trace/TraceFile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace instantrace {

TraceFile::TraceFile(std::string FinalPath) : FinalPath(std::move(FinalPath)) {}

TraceFile::~TraceFile() { discard(); }

void TraceFile::fail(const std::string &Path, int ErrorNumber) {
  if (ErrorText.empty())
    ErrorText = Path + ": " + std::strerror(ErrorNumber);
  discard();
}

bool TraceFile::open() {
  if (Descriptor >= 0)
    return true;
  std::filesystem::path Final(FinalPath);
  std::error_code Failure;
  if (MakesParents && Final.has_parent_path())
    std::filesystem::create_directories(Final.parent_path(), Failure);
  // Hidden and with the process id, so that neither a glob over *.itrace nor a
  // second compile meets it.
  TemporaryPath =
      (Final.parent_path() / ("." + Final.filename().string() + "." +
                              std::to_string(getpid()) + ".tmp"))
          .string();
  Descriptor = ::open(TemporaryPath.c_str(),
                      O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (Descriptor >= 0)
    return true;
  int Reason = errno;
  TemporaryPath.clear();
  fail(FinalPath, Reason);
  return false;
}

void TraceFile::append(std::string_view Bytes) {
  if (!ErrorText.empty() || !open())
    return;
  while (!Bytes.empty()) {
    ssize_t Written = ::write(Descriptor, Bytes.data(), Bytes.size());
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written < 0)
      return fail(FinalPath, errno);
    Bytes.remove_prefix(static_cast<size_t>(Written));
  }
}

void TraceFile::commit(bool KeepsExisting) {
  if (!ErrorText.empty() || Descriptor < 0)
    return;
  struct stat Existing;
  if (KeepsExisting && ::stat(FinalPath.c_str(), &Existing) == 0 &&
      Existing.st_size > 0)
    return discard();
  // close() is where some network file systems report a full disk.
  int Closed = ::close(Descriptor);
  Descriptor = -1;
  if (Closed != 0 || ::rename(TemporaryPath.c_str(), FinalPath.c_str()) != 0)
    return fail(FinalPath, errno);
  TemporaryPath.clear();
}

void TraceFile::discard() {
  if (Descriptor >= 0)
    ::close(Descriptor);
  Descriptor = -1;
  if (!TemporaryPath.empty())
    ::unlink(TemporaryPath.c_str());
  TemporaryPath.clear();
}

} // namespace instantrace
