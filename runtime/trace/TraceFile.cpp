#include "runtime/trace/TraceFile.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <pthread.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace instantrace {

namespace {

/// While it lives, a write beyond the limit on file sizes (ulimit -f) is an
/// error and not the death of the compiler by SIGXFSZ.
class FileSizeSignalBlock {
public:
  FileSizeSignalBlock() {
    ::sigemptyset(&Signal);
    ::sigaddset(&Signal, SIGXFSZ);
    ::pthread_sigmask(SIG_BLOCK, &Signal, &Before);
  }
  ~FileSizeSignalBlock() {
    if (::sigismember(&Before, SIGXFSZ) != 0)
      return;
    // Taken while blocked: it is this thread's, since write() raises it there.
    const timespec NoWait = {};
    ::sigtimedwait(&Signal, nullptr, &NoWait);
    ::pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  }
  FileSizeSignalBlock(const FileSizeSignalBlock &) = delete;
  FileSizeSignalBlock &operator=(const FileSizeSignalBlock &) = delete;

private:
  sigset_t Signal;
  sigset_t Before;
};

} // namespace

TraceFile::TraceFile(std::string FinalPath) : FinalPath(std::move(FinalPath)) {}

TraceFile::~TraceFile() { discard(); }

void TraceFile::fail(const std::string &Path, int ErrorNumber) {
  if (ErrorText.empty())
    ErrorText = Path + ": " + std::strerror(ErrorNumber);
  discard();
}

bool TraceFile::isReplaceable() {
  struct stat Existing;
  if (::stat(FinalPath.c_str(), &Existing) != 0 || S_ISREG(Existing.st_mode))
    return true;
  // The superuser may rename over /dev/null, and then it is gone.
  if (ErrorText.empty())
    ErrorText = FinalPath + ": not a regular file";
  discard();
  return false;
}

bool TraceFile::open() {
  if (Descriptor >= 0)
    return true;
  if (!isReplaceable())
    return false;
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
  FileSizeSignalBlock Block;
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
  if (!isReplaceable())
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
