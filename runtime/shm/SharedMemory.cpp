#include "runtime/shm/SharedMemory.h"

#include "runtime/shm/WriteSignalBlock.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <utility>

namespace instantrace {

namespace {

constexpr size_t MaxPassedDescriptors = 8;
/// Of a large buffer, a short compile needs only the begin.
constexpr size_t MostZeroBytes = size_t(1) << 20;

std::string reason(const std::string &What, int ErrorNumber) {
  return What + ": " + std::strerror(ErrorNumber);
}

/// Whether \p Path still names the file that is open.
bool isNameOf(const std::string &Path, int Descriptor) {
  struct stat Open, Named;
  return ::fstat(Descriptor, &Open) == 0 && ::stat(Path.c_str(), &Named) == 0 &&
         Open.st_dev == Named.st_dev && Open.st_ino == Named.st_ino;
}

/// A regular file of this user under this name alone. Whoever else could have
/// made it, could change it or cut it while we use it, or have us empty a file
/// that has other names.
bool isLeftByUs(int Descriptor, const std::string &Path, std::string &Error) {
  struct stat Status;
  if (::fstat(Descriptor, &Status) != 0)
    Error = reason(Path, errno);
  else if (!S_ISREG(Status.st_mode))
    Error = Path + ": not a regular file";
  else if (Status.st_uid != ::geteuid())
    Error = Path + ": another user's file";
  else if (Status.st_nlink > 1)
    Error = Path + ": a file that has other names, too";
  return Error.empty();
}

/// Whether write() fails where there is no space: elsewhere, as on NFS, it may
/// fill a cache alone, and only writing that back fails.
bool reservesWhatIsWritten(int Descriptor) {
  struct statfs Status;
  if (::fstatfs(Descriptor, &Status) != 0)
    return false;
  switch (static_cast<uint32_t>(Status.f_type)) {
  case EXT4_SUPER_MAGIC: // of ext2 and ext3, too
  case XFS_SUPER_MAGIC:
  case BTRFS_SUPER_MAGIC:
  case OVERLAYFS_SUPER_MAGIC: // which has one of these beneath
  case TMPFS_MAGIC:
    return true;
  default:
    return false;
  }
}

/// A page of a file that has space, but was never written, costs a transaction
/// of the file system when memory that maps it is first written: three times
/// what these calls cost in all. Returns 0 or the errno.
int writeZeros(int Descriptor, size_t SizeBytes) {
  static constexpr char Zeros[4096] = {};
  std::array<iovec, 128> Parts;
  for (size_t Index = 0; Index != SizeBytes;) {
    size_t Count = 0, Bytes = 0;
    while (Count != Parts.size() && Index + Bytes != SizeBytes) {
      size_t Part = std::min(sizeof(Zeros), SizeBytes - Index - Bytes);
      Parts[Count++] = {const_cast<char *>(Zeros), Part};
      Bytes += Part;
    }
    ssize_t Written =
        ::pwritev(Descriptor, Parts.data(), static_cast<int>(Count),
                  static_cast<off_t>(Index));
    if (Written <= 0)
      return Written < 0 ? errno : EIO;
    Index += static_cast<size_t>(Written);
  }
  return 0;
}

/// Space for a file of \p SizeBytes. Of what is written and removed before it
/// was written back, a disk never hears; blocks that were allocated have to be
/// found and freed again, which takes most of a short compile's last wait.
/// Returns 0 or the errno.
int allocateFile(int Descriptor, size_t SizeBytes) {
  size_t Written = std::min(SizeBytes, MostZeroBytes);
  if (int Failure = writeZeros(Descriptor, Written))
    return Failure;
  size_t Index = reservesWhatIsWritten(Descriptor) ? Written : 0;
  return Index == SizeBytes
             ? 0
             : ::posix_fallocate(Descriptor, static_cast<off_t>(Index),
                                 static_cast<off_t>(SizeBytes - Index));
}

} // namespace

SharedMemory::~SharedMemory() { release(); }

SharedMemory::SharedMemory(SharedMemory &&Other) noexcept
    : Data(std::exchange(Other.Data, nullptr)),
      SizeBytes(std::exchange(Other.SizeBytes, 0)),
      Descriptor(std::exchange(Other.Descriptor, -1)),
      Path(std::exchange(Other.Path, {})), Guard(std::move(Other.Guard)) {}

SharedMemory &SharedMemory::operator=(SharedMemory &&Other) noexcept {
  if (this == &Other)
    return *this;
  release();
  Data = std::exchange(Other.Data, nullptr);
  SizeBytes = std::exchange(Other.SizeBytes, 0);
  Descriptor = std::exchange(Other.Descriptor, -1);
  Path = std::exchange(Other.Path, {});
  Guard = std::move(Other.Guard);
  return *this;
}

void SharedMemory::release() {
  Guard = ShrinkGuard(); // before the addresses may be somebody else's
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

int SharedMemory::map() {
  void *Mapped = ::mmap(nullptr, SizeBytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                        Descriptor, 0);
  if (Mapped == MAP_FAILED)
    return errno;
  Data = static_cast<uint8_t *>(Mapped);
  return 0;
}

bool SharedMemory::open(std::string &Error) {
  // Each round after the first means that a file was removed between two of our
  // calls: one that a dead producer had left, by us, or one that another
  // compile of the same output has just finished.
  for (unsigned Attempt = 0; Attempt != 16; ++Attempt) {
    Descriptor = ::open(
        Path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool IsNew = Descriptor >= 0;
    if (!IsNew && errno == EEXIST)
      // What it is shows only when it is open; a pipe must not make us wait.
      Descriptor = ::open(Path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW |
                                            O_NONBLOCK | O_NOCTTY);
    if (Descriptor < 0 && errno == ENOENT && Attempt != 0)
      continue;
    if (Descriptor < 0) {
      Error = reason(Path, errno);
      return false;
    }
    if (!IsNew && !isLeftByUs(Descriptor, Path, Error))
      return false;
    // Where the file system has no locks, our process id has to tell that we
    // live, and what others have left there is left to them.
    bool IsLocked = ::flock(Descriptor, LOCK_EX | LOCK_NB) == 0;
    if (IsNew && (IsLocked || errno != EWOULDBLOCK) &&
        isNameOf(Path, Descriptor))
      return true;
    if (!IsNew && !IsLocked)
      return false;
    // Never used again as it is: somebody may still have it open.
    if (!IsNew && isNameOf(Path, Descriptor))
      ::unlink(Path.c_str());
    ::close(Descriptor);
    Descriptor = -1;
  }
  return false;
}

SharedMemory SharedMemory::makeFile(const std::string &Path, size_t SizeBytes,
                                    std::string &Error) {
  SharedMemory Memory;
  Memory.Path = Path;
  Memory.SizeBytes = SizeBytes;
  if (!Memory.open(Error))
    return {};
  WriteSignalBlock Block;
  int Failure = allocateFile(Memory.Descriptor, SizeBytes);
  if (Failure == 0)
    Failure = Memory.map();
  if (Failure != 0) {
    ::unlink(Path.c_str()); // before there may be no memory for the reason
    Error = reason(Path, Failure);
    return {};
  }
  Memory.Guard = ShrinkGuard(Memory.Data, SizeBytes);
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
  WriteSignalBlock Block;
  int Failure =
      ::posix_fallocate(Memory.Descriptor, 0, static_cast<off_t>(SizeBytes));
  if (Failure == 0 && ::fcntl(Memory.Descriptor, F_ADD_SEALS,
                              F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    Failure = errno;
  if (Failure == 0)
    Failure = Memory.map();
  if (Failure != 0) {
    Error = reason("memfd", Failure);
    return {};
  }
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
  if (int Failure = Memory.map(); Failure != 0) {
    Error = reason("received memory", Failure);
    return {};
  }
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
