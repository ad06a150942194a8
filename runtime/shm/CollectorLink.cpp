#include "runtime/shm/CollectorLink.h"

#include "runtime/shm/SharedMemory.h"
#include "runtime/shm/SharedMemoryAbi.h"

#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace instantrace {

bool CollectorLink::connect(const std::string &Path, std::string &Error) {
  sockaddr_un Address = {};
  Address.sun_family = AF_UNIX;
  if (Path.size() >= sizeof(Address.sun_path)) {
    Error = std::strerror(ENAMETOOLONG);
    return false;
  }
  std::memcpy(Address.sun_path, Path.c_str(), Path.size() + 1);
  int New = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  // EAGAIN: more compiles than it has room for wait to be let in.
  if (New < 0 || ::connect(New, reinterpret_cast<sockaddr *>(&Address),
                           sizeof(Address)) != 0) {
    Error = std::strerror(errno);
    if (New >= 0)
      ::close(New);
    return false;
  }
  ucred Peer = {};
  socklen_t Size = sizeof(Peer);
  if (::getsockopt(New, SOL_SOCKET, SO_PEERCRED, &Peer, &Size) != 0 ||
      (Peer.uid != ::geteuid() && Peer.uid != 0)) {
    Error = "another user's";
    ::close(New);
    return false;
  }
  close();
  Socket = New;
  IsAlive = true;
  return true;
}

bool CollectorLink::sendHello(int Buffer, int PartialTrace) {
  CollectorHello Hello = {};
  std::memcpy(Hello.Magic, CollectorMagic.data(), CollectorMagic.size());
  Hello.Version = CollectorProtocolVersion;
  Hello.AbiVersion = SharedMemoryAbiVersion;
  const int Descriptors[] = {Buffer, PartialTrace};
  IsAlive =
      IsAlive && sendDescriptors(Socket, Descriptors, 2, &Hello, sizeof(Hello));
  return IsAlive;
}

void CollectorLink::ring() {
  // Full: it has not looked at the bytes before, so one more says nothing.
  if (IsAlive && ::send(Socket, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
    isAlive();
}

bool CollectorLink::isAlive() {
  if (!IsAlive)
    return false;
  pollfd Poll = {Socket, POLLIN, 0};
  int Ready;
  do
    Ready = ::poll(&Poll, 1, 0);
  while (Ready < 0 && errno == EINTR);
  if (Ready <= 0)
    return true;
  char Ignored[64];
  if ((Poll.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0 ||
      ::recv(Socket, Ignored, sizeof(Ignored), MSG_DONTWAIT) == 0)
    IsAlive = false;
  return IsAlive;
}

void CollectorLink::close() {
  if (Socket >= 0)
    ::close(Socket);
  Socket = -1;
  IsAlive = false;
}

} // namespace instantrace
