#include "runtime/shm/SharedMemory.h"

#include "runtime/shm/FileSizeSignalBlock.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace instantrace {

namespace {

constexpr size_t MaxPassedDescriptors = 8;

std::string reason(const std::string &What, int ErrorNumber) {
  return What + ": " + std::strerror(ErrorNumber);
}

/// Whether \p Path still names the file that is open.
bool isNameOf(const std::string &Path, int Descriptor) {
  struct stat Open, Named;
  return ::fstat(Descriptor, &Open) == 0 && ::stat(Path.c_str(), &Named) == 0 &&
         Open.st_dev == Named.st_dev && Open.st_ino == Named.st_ino;
}

} // namespace

SharedMemory::~SharedMemory() { release(); }

SharedMemory::SharedMemory(SharedMemory &&Other) noexcept
    : Data(std::exchange(Other.Data, nullptr)),
      SizeBytes(std::exchange(Other.SizeBytes, 0)),
      Descriptor(std::exchange(Other.Descriptor, -1)),
      Path(std::exchange(Other.Path, {})) {}

SharedMemory &SharedMemory::operator=(SharedMemory &&Other) noexcept {
  if (this == &Other)
    return *this;
  release();
  Data = std::exchange(Other.Data, nullptr);
  SizeBytes = std::exchange(Other.SizeBytes, 0);
  Descriptor = std::exchange(Other.Descriptor, -1);
  Path = std::exchange(Other.Path, {});
  return *this;
}

void SharedMemory::release() {
  if (Data)
    ::munmap(Data, SizeBytes);
  if (Descriptor >= 0)
    ::close(Descriptor); // drops the lock, too
  Data = nullptr;
  SizeBytes = 0;
  Descriptor = -1;
}

void SharedMemory::removeFile() {
  if (!Path.empty())
    ::unlink(Path.c_str());
  Path.clear();
}

bool SharedMemory::map(std::string &Error) {
  void *Mapped = ::mmap(nullptr, SizeBytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                        Descriptor, 0);
  if (Mapped == MAP_FAILED) {
    Error = reason(Path.empty() ? "memfd" : Path, errno);
    return false;
  }
  Data = static_cast<uint8_t *>(Mapped);
  return true;
}

SharedMemory SharedMemory::makeFile(const std::string &Path, size_t SizeBytes,
                                    std::string &Error) {
  SharedMemory Memory;
  // A file that another process removed between our open and our lock is not
  // the one that its name stands for now. Each round means that a compile of
  // the same output has just ended.
  for (unsigned Attempt = 0;; ++Attempt) {
    int Descriptor =
        ::open(Path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (Descriptor < 0) {
      Error = reason(Path, errno);
      return {};
    }
    struct stat Status;
    if (::fstat(Descriptor, &Status) != 0 || !S_ISREG(Status.st_mode)) {
      Error = Path + ": not a regular file";
      ::close(Descriptor);
      return {};
    }
    if (::flock(Descriptor, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK)
        Error = reason(Path, errno);
      ::close(Descriptor);
      return {};
    }
    if (isNameOf(Path, Descriptor)) {
      Memory.Descriptor = Descriptor;
      break;
    }
    ::close(Descriptor);
    if (Attempt == 16)
      return {};
  }
  Memory.Path = Path;
  Memory.SizeBytes = SizeBytes;
  // First to nothing, so that what a dead producer left reads as zeros.
  FileSizeSignalBlock Block;
  int Failure = 0;
  if (::ftruncate(Memory.Descriptor, 0) != 0)
    Failure = errno;
  else
    Failure =
        ::posix_fallocate(Memory.Descriptor, 0, static_cast<off_t>(SizeBytes));
  if (Failure != 0)
    Error = reason(Path, Failure);
  if (Failure != 0 || !Memory.map(Error)) {
    Memory.removeFile();
    return {};
  }
  return Memory;
}

SharedMemory SharedMemory::makeMemfd(size_t SizeBytes, std::string &Error) {
  SharedMemory Memory;
  Memory.SizeBytes = SizeBytes;
  Memory.Descriptor =
      ::memfd_create("instantrace", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (Memory.Descriptor < 0) {
    Error = reason("memfd", errno);
    return {};
  }
  FileSizeSignalBlock Block;
  int Failure =
      ::posix_fallocate(Memory.Descriptor, 0, static_cast<off_t>(SizeBytes));
  if (Failure == 0 && ::fcntl(Memory.Descriptor, F_ADD_SEALS,
                              F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    Failure = errno;
  if (Failure != 0)
    Error = reason("memfd", Failure);
  if (Failure != 0 || !Memory.map(Error))
    return {};
  return Memory;
}

SharedMemory SharedMemory::makePrivate(size_t SizeBytes, std::string &Error) {
  SharedMemory Memory;
  Memory.SizeBytes = SizeBytes;
  void *Mapped = ::mmap(nullptr, SizeBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Mapped == MAP_FAILED) {
    Error = reason("private memory", errno);
    return {};
  }
  Memory.Data = static_cast<uint8_t *>(Mapped);
  return Memory;
}

SharedMemory SharedMemory::adopt(int Descriptor, std::string &Error) {
  SharedMemory Memory;
  Memory.Descriptor = Descriptor;
  struct stat Status;
  if (::fstat(Descriptor, &Status) != 0) {
    Error = reason("received memory", errno);
    return {};
  }
  constexpr int Wanted = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  int Seals = ::fcntl(Descriptor, F_GET_SEALS);
  if (Seals < 0 || (Seals & Wanted) != Wanted) {
    Error = "received memory: its size is not sealed";
    return {};
  }
  if (Status.st_size <= 0) {
    Error = "received memory: empty";
    return {};
  }
  Memory.SizeBytes = static_cast<size_t>(Status.st_size);
  if (!Memory.map(Error))
    return {};
  return Memory;
}

bool sendDescriptors(int Socket, const int *Descriptors, size_t Count,
                     const void *Bytes, size_t SizeBytes) {
  if (Count > MaxPassedDescriptors || SizeBytes == 0)
    return false;
  alignas(cmsghdr) char Control[CMSG_SPACE(MaxPassedDescriptors * sizeof(int))];
  iovec Vector{const_cast<void *>(Bytes), SizeBytes};
  msghdr Message = {};
  Message.msg_iov = &Vector;
  Message.msg_iovlen = 1;
  if (Count != 0) {
    Message.msg_control = Control;
    Message.msg_controllen = CMSG_SPACE(Count * sizeof(int));
    cmsghdr *Header = CMSG_FIRSTHDR(&Message);
    Header->cmsg_level = SOL_SOCKET;
    Header->cmsg_type = SCM_RIGHTS;
    Header->cmsg_len = CMSG_LEN(Count * sizeof(int));
    std::memcpy(CMSG_DATA(Header), Descriptors, Count * sizeof(int));
  }
  ssize_t Sent;
  do
    Sent = ::sendmsg(Socket, &Message, MSG_NOSIGNAL);
  while (Sent < 0 && errno == EINTR);
  return Sent == static_cast<ssize_t>(SizeBytes);
}

long receiveDescriptors(int Socket, int *Descriptors, size_t Count, void *Bytes,
                        size_t SizeBytes) {
  for (size_t I = 0; I != Count; ++I)
    Descriptors[I] = -1;
  alignas(cmsghdr) char Control[CMSG_SPACE(MaxPassedDescriptors * sizeof(int))];
  iovec Vector{Bytes, SizeBytes};
  msghdr Message = {};
  Message.msg_iov = &Vector;
  Message.msg_iovlen = 1;
  Message.msg_control = Control;
  Message.msg_controllen = sizeof(Control);
  ssize_t Got;
  do
    Got = ::recvmsg(Socket, &Message, MSG_CMSG_CLOEXEC);
  while (Got < 0 && errno == EINTR);
  if (Got < 0)
    return -1;
  size_t Stored = 0;
  for (cmsghdr *Header = CMSG_FIRSTHDR(&Message); Header;
       Header = CMSG_NXTHDR(&Message, Header)) {
    if (Header->cmsg_level != SOL_SOCKET || Header->cmsg_type != SCM_RIGHTS)
      continue;
    size_t Passed = (Header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t I = 0; I != Passed; ++I) {
      int Descriptor;
      std::memcpy(&Descriptor, CMSG_DATA(Header) + I * sizeof(int),
                  sizeof(int));
      if (Stored < Count)
        Descriptors[Stored++] = Descriptor;
      else
        ::close(Descriptor); // more than were asked for
    }
  }
  return Got;
}

} // namespace instantrace
