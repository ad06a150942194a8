#include "utils/collector/CollectorSocket.h"

#include "utils/open/Leftovers.h"

#include <cstring>
#include <ctime>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>

using namespace instantrace;

namespace {

FileDescriptor makeSocket() {
  return FileDescriptor(
      ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

bool bindTo(const FileDescriptor &Socket, const sockaddr_un &Address) {
  // Whoever may connect may have traces written in our name.
  mode_t Before = ::umask(0177);
  int Bound = ::bind(Socket.get(), reinterpret_cast<const sockaddr *>(&Address),
                     sizeof(Address));
  int Reason = errno;
  ::umask(Before);
  errno = Reason;
  return Bound == 0;
}

/// A socket file that refuses connections.
bool isAbandoned(const sockaddr_un &Address) {
  struct stat Status;
  if (::lstat(Address.sun_path, &Status) != 0 || !S_ISSOCK(Status.st_mode))
    return false;
  FileDescriptor Probe = makeSocket();
  return ::connect(Probe.get(), reinterpret_cast<const sockaddr *>(&Address),
                   sizeof(Address)) != 0 &&
         errno == ECONNREFUSED;
}

/// Held from before a socket is looked at until it listens: a second collector
/// would take one that is bound and does not listen yet for abandoned. A lock
/// of the folder, which leaves nothing behind.
class StartLock {
public:
  explicit StartLock(const std::string &Socket) {
    size_t Slash = Socket.rfind('/');
    std::string Path =
        Slash == std::string::npos ? "." : Socket.substr(0, Slash + 1);
    Folder = FileDescriptor(
        ::open(Path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // Anybody who may read the folder can hold it: then without it.
    constexpr timespec Pause = {0, 10'000'000};
    for (int Try = 0; Folder && Try != 100; ++Try) {
      if (::flock(Folder.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return;
      ::nanosleep(&Pause, nullptr);
    }
  }

private:
  FileDescriptor Folder;
};

} // namespace

Result<CollectorSocket> CollectorSocket::listen(const std::string &Path) {
  sockaddr_un Address = {};
  Address.sun_family = AF_UNIX;
  if (Path.empty() || Path.size() >= sizeof(Address.sun_path))
    return makeError(Path,
                     "a name of " + std::to_string(Path.size()) + " bytes",
                     "1 to " + std::to_string(sizeof(Address.sun_path) - 1) +
                         " for a socket");
  std::memcpy(Address.sun_path, Path.c_str(), Path.size() + 1);
  FileDescriptor Socket = makeSocket();
  if (!Socket)
    return Error{Path + ": " + systemMessage(errno)};
  StartLock Lock(Path);
  bool IsBound = bindTo(Socket, Address);
  if (!IsBound && errno == EADDRINUSE) {
    struct stat Status;
    if (isAbandoned(Address)) {
      ::unlink(Path.c_str());
      IsBound = bindTo(Socket, Address);
    } else if (::lstat(Path.c_str(), &Status) == 0 &&
               S_ISSOCK(Status.st_mode)) {
      return Error{Path + ": another process listens there"};
    } else {
      return Error{Path + ": exists and is not a socket"};
    }
  }
  if (!IsBound || ::listen(Socket.get(), SOMAXCONN) != 0)
    return Error{Path + ": " + systemMessage(errno)};
  CollectorSocket Made(std::move(Socket), Path);
  struct stat Status;
  if (::lstat(Path.c_str(), &Status) == 0) {
    Made.Device = Status.st_dev;
    Made.Inode = Status.st_ino;
  }
  return Made;
}

CollectorSocket::~CollectorSocket() {
  struct stat Status;
  if (Listening && ::lstat(Path.c_str(), &Status) == 0 &&
      Status.st_dev == Device && Status.st_ino == Inode)
    ::unlink(Path.c_str());
}

FileDescriptor CollectorSocket::accept() const {
  return FileDescriptor(::accept4(Listening.get(), nullptr, nullptr,
                                  SOCK_NONBLOCK | SOCK_CLOEXEC));
}
