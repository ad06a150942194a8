/// \file
/// The memory behind a buffer: files that tell the living from the dead, memfds
/// that nobody can cut, and handing them to another process.
#include "runtime/shm/SharedMemory.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace instantrace;

namespace {

class ShmMemory : public testing::Test {
protected:
  ShmMemory() : Path(testing::TempDir() + "shm-memory-test.buffer") {
    ::unlink(Path.c_str());
  }
  ~ShmMemory() override { ::unlink(Path.c_str()); }
  bool exists() const { return ::access(Path.c_str(), F_OK) == 0; }

  std::string Path, Error;
};

bool isZero(const SharedMemory &Memory) {
  for (size_t I = 0; I != Memory.sizeBytes(); ++I)
    if (Memory.data()[I] != 0)
      return false;
  return true;
}

TEST_F(ShmMemory, FileIsZeroedAllocatedAndStays) {
  {
    SharedMemory Memory = SharedMemory::makeFile(Path, 100000, Error);
    ASSERT_TRUE(Memory) << Error;
    EXPECT_TRUE(isZero(Memory));
    EXPECT_FALSE(Memory.isPrivate());
    EXPECT_EQ(Memory.path(), Path);
    EXPECT_EQ(Memory.sizeBytes(), 100000u);
    struct stat Status;
    ASSERT_EQ(::fstat(Memory.descriptor(), &Status), 0);
    EXPECT_GE(Status.st_blocks * 512, 100000) << "a full disk would be SIGBUS";
    std::memset(Memory.data(), 1, Memory.sizeBytes());
  }
  EXPECT_TRUE(exists());
  // What the dead one left is replaced. Somebody may still look at it, so it is
  // another file.
  int Old = ::open(Path.c_str(), O_RDONLY);
  SharedMemory Again = SharedMemory::makeFile(Path, 5000, Error);
  ASSERT_TRUE(Again) << Error;
  EXPECT_TRUE(isZero(Again));
  char Byte = 0;
  EXPECT_EQ(::pread(Old, &Byte, 1, 99999), 1);
  EXPECT_EQ(Byte, 1);
  ::close(Old);
  Again.removeFile();
  EXPECT_FALSE(exists());
  EXPECT_EQ(Again.path(), "");
  Again.data()[4999] = 1; // the memory is still there
}

TEST_F(ShmMemory, FileOfALivingProducerIsLeftAlone) {
  SharedMemory Memory = SharedMemory::makeFile(Path, 4096, Error);
  ASSERT_TRUE(Memory) << Error;
  Memory.data()[7] = 42;
  SharedMemory Other = SharedMemory::makeFile(Path, 4096, Error);
  EXPECT_FALSE(Other);
  EXPECT_EQ(Error, "");
  EXPECT_EQ(Memory.data()[7], 42);
  // When it ends without removing the file, the next one gets it.
  Memory = SharedMemory();
  EXPECT_TRUE(SharedMemory::makeFile(Path, 4096, Error)) << Error;
}

TEST_F(ShmMemory, FileErrorsNamePathAndReason) {
  EXPECT_FALSE(SharedMemory::makeFile(Path + "/x/y", 4096, Error));
  EXPECT_EQ(Error, Path + "/x/y: No such file or directory");
  Error.clear();
  ASSERT_EQ(::mkfifo(Path.c_str(), 0600), 0);
  EXPECT_FALSE(SharedMemory::makeFile(Path, 4096, Error));
  EXPECT_EQ(Error, Path + ": not a regular file");
  ::unlink(Path.c_str());
  Error.clear();
  ASSERT_EQ(::symlink("elsewhere", Path.c_str()), 0);
  EXPECT_FALSE(SharedMemory::makeFile(Path, 4096, Error));
  EXPECT_EQ(Error, Path + ": Too many levels of symbolic links");
}

TEST_F(ShmMemory, FileIsForThisUserAlone) {
  mode_t Before = ::umask(0);
  SharedMemory Memory = SharedMemory::makeFile(Path, 4096, Error);
  ::umask(Before);
  ASSERT_TRUE(Memory) << Error;
  struct stat Status;
  ASSERT_EQ(::fstat(Memory.descriptor(), &Status), 0);
  EXPECT_EQ(Status.st_mode & 07777, 0600u);
}

// What somebody else may have prepared is neither used nor changed.
TEST_F(ShmMemory, PlantedFilesAreRefused) {
  int Planted = ::open(Path.c_str(), O_RDWR | O_CREAT, 0666);
  ASSERT_EQ(::write(Planted, "mine", 4), 4);
  std::string Other = Path + ".link";
  ASSERT_EQ(::link(Path.c_str(), Other.c_str()), 0);
  EXPECT_FALSE(SharedMemory::makeFile(Path, 4096, Error));
  EXPECT_EQ(Error, Path + ": a file that has other names, too");
  ASSERT_EQ(::unlink(Other.c_str()), 0);
  // Root alone can give files away, and to users alone that its namespace has.
  if (::fchown(Planted, 12345, 12345) == 0) {
    Error.clear();
    EXPECT_FALSE(SharedMemory::makeFile(Path, 4096, Error));
    EXPECT_EQ(Error, Path + ": another user's file");
  } else {
    EXPECT_EQ(errno, ::geteuid() == 0 ? EINVAL : EPERM);
  }
  struct stat Status;
  ASSERT_EQ(::fstat(Planted, &Status), 0);
  EXPECT_EQ(Status.st_size, 4);
  EXPECT_EQ(Status.st_nlink, 1u);
  ::close(Planted);
}

// Without us each of these accesses is a SIGBUS that kills.
TEST_F(ShmMemory, CutFileIsZerosAndSaidToBeCut) {
  constexpr size_t Bytes = 1 << 20;
  SharedMemory Memory = SharedMemory::makeFile(Path, Bytes, Error);
  ASSERT_TRUE(Memory) << Error;
  std::memset(Memory.data(), 1, Bytes);
  EXPECT_FALSE(Memory.isCut());
  ASSERT_EQ(::truncate(Path.c_str(), 4096), 0);
  EXPECT_EQ(Memory.data()[0], 1);
  EXPECT_EQ(Memory.data()[Bytes - 1], 0);
  EXPECT_TRUE(Memory.isCut());
  Memory.data()[4096] = 7;
  EXPECT_EQ(Memory.data()[4096], 7);
  SharedMemory Moved = std::move(Memory);
  EXPECT_TRUE(Moved.isCut());
  // NOLINTNEXTLINE(bugprone-use-after-move, clang-analyzer-cplusplus.Move)
  EXPECT_FALSE(Memory.isCut());
}

// A fault elsewhere is what it was before.
TEST_F(ShmMemory, OtherBusErrorsStillKill) {
  SharedMemory Memory = SharedMemory::makeFile(Path, 4096, Error);
  ASSERT_TRUE(Memory) << Error;
  std::string Other = Path + ".other";
  int Open = ::open(Other.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
  ::unlink(Other.c_str());
  ASSERT_EQ(::ftruncate(Open, 4096), 0);
  auto *Bytes = static_cast<volatile char *>(
      ::mmap(nullptr, 4096, PROT_READ, MAP_SHARED, Open, 0));
  ASSERT_NE(Bytes, MAP_FAILED);
  ASSERT_EQ(::ftruncate(Open, 0), 0);
  // By the signal, or by the sanitizer that handles it.
  auto diesOfIt = [](int Status) {
    return !WIFEXITED(Status) || WEXITSTATUS(Status) != 0;
  };
  EXPECT_EXIT(_exit(Bytes[0]), diesOfIt, "");
  ::munmap(const_cast<char *>(Bytes), 4096);
  ::close(Open);
}

// ulimit -f is an error with a reason and leaves no file; the signal is not
// delivered and its disposition is as before.
TEST_F(ShmMemory, FileSizeLimitIsAnError) {
  rlimit Before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &Before), 0);
  rlimit Small = {8192, Before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &Small), 0);
  EXPECT_FALSE(SharedMemory::makeFile(Path, size_t(1) << 20, Error));
  std::string OfMemfd;
  EXPECT_FALSE(SharedMemory::makeMemfd(size_t(1) << 20, OfMemfd));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &Before), 0);
  EXPECT_EQ(Error, Path + ": File too large");
  EXPECT_EQ(OfMemfd, "memfd: File too large");
  EXPECT_FALSE(exists());
  sigset_t Blocked;
  ASSERT_EQ(::pthread_sigmask(SIG_BLOCK, nullptr, &Blocked), 0);
  EXPECT_EQ(::sigismember(&Blocked, SIGXFSZ), 0);
}

TEST_F(ShmMemory, PrivateMemoryIsZeroed) {
  SharedMemory Memory = SharedMemory::makePrivate(8192, Error);
  ASSERT_TRUE(Memory) << Error;
  EXPECT_TRUE(isZero(Memory));
  EXPECT_TRUE(Memory.isPrivate());
  Memory.data()[0] = 1;
  EXPECT_FALSE(SharedMemory::makePrivate(SIZE_MAX / 2, Error));
  EXPECT_EQ(Error, "private memory: Cannot allocate memory");
}

TEST_F(ShmMemory, MovesItsMemory) {
  SharedMemory A = SharedMemory::makeMemfd(4096, Error);
  ASSERT_TRUE(A) << Error;
  uint8_t *Data = A.data();
  SharedMemory B = std::move(A);
  // NOLINTBEGIN(bugprone-use-after-move, clang-analyzer-cplusplus.Move)
  EXPECT_FALSE(A);
  EXPECT_EQ(A.sizeBytes(), 0u);
  // NOLINTEND(bugprone-use-after-move, clang-analyzer-cplusplus.Move)
  EXPECT_EQ(B.data(), Data);
  A = std::move(B);
  EXPECT_EQ(A.data(), Data);
  A = SharedMemory::makeMemfd(8192, Error); // the old one is unmapped
  EXPECT_EQ(A.sizeBytes(), 8192u);
}

// Through a socket, with bytes beside it: the same memory, which neither side
// can cut.
TEST_F(ShmMemory, MemfdIsHandedOver) {
  SharedMemory Ours = SharedMemory::makeMemfd(8192, Error);
  ASSERT_TRUE(Ours) << Error;
  EXPECT_NE(::ftruncate(Ours.descriptor(), 0), 0);
  EXPECT_NE(::ftruncate(Ours.descriptor(), 16384), 0);
  int Sockets[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, Sockets), 0);
  int Descriptor = Ours.descriptor();
  ASSERT_TRUE(sendDescriptors(Sockets[0], &Descriptor, 1, "hello", 5));
  char Text[16] = {};
  int Got[2] = {7, 7};
  ASSERT_EQ(receiveDescriptors(Sockets[1], Got, 2, Text, sizeof(Text)), 5);
  EXPECT_STREQ(Text, "hello");
  EXPECT_GE(Got[0], 0);
  EXPECT_EQ(Got[1], -1);
  SharedMemory Theirs = SharedMemory::adopt(Got[0], Error);
  ASSERT_TRUE(Theirs) << Error;
  EXPECT_EQ(Theirs.sizeBytes(), 8192u);
  Ours.data()[100] = 17;
  EXPECT_EQ(Theirs.data()[100], 17);
  EXPECT_TRUE(::fcntl(Theirs.descriptor(), F_GETFD) & FD_CLOEXEC);

  // More than are wanted: the rest is closed, and no descriptor leaks.
  int Many[3] = {Descriptor, Descriptor, Descriptor};
  int Before = ::dup(0);
  ::close(Before);
  ASSERT_TRUE(sendDescriptors(Sockets[0], Many, 3, "x", 1));
  ASSERT_EQ(receiveDescriptors(Sockets[1], Got, 1, Text, 1), 1);
  EXPECT_EQ(Got[0], Before);
  ::close(Got[0]);
  int After = ::dup(0);
  ::close(After);
  EXPECT_EQ(After, Before);

  EXPECT_FALSE(sendDescriptors(Sockets[0], Many, 9, "x", 1));
  EXPECT_FALSE(sendDescriptors(Sockets[0], Many, 1, "", 0));
  // Nobody at the other end: false and 0, and no SIGPIPE.
  ::close(Sockets[0]);
  EXPECT_EQ(receiveDescriptors(Sockets[1], Got, 1, Text, 1), 0);
  EXPECT_FALSE(sendDescriptors(Sockets[1], nullptr, 0, "x", 1));
  ::close(Sockets[1]);
}

TEST_F(ShmMemory, AdoptsOnlyWhatIsSealed) {
  EXPECT_FALSE(SharedMemory::adopt(-1, Error));
  EXPECT_EQ(Error, "received memory: Bad file descriptor");
  int Open = ::open(Path.c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_EQ(::ftruncate(Open, 4096), 0);
  EXPECT_FALSE(SharedMemory::adopt(Open, Error));
  EXPECT_EQ(Error, "received memory: its size is not sealed");
  EXPECT_EQ(::fcntl(Open, F_GETFD), -1) << "it takes the descriptor";
  int Unsealed = ::memfd_create("test", MFD_ALLOW_SEALING);
  ASSERT_EQ(::ftruncate(Unsealed, 4096), 0);
  ASSERT_EQ(::fcntl(Unsealed, F_ADD_SEALS, F_SEAL_SHRINK), 0);
  EXPECT_FALSE(SharedMemory::adopt(Unsealed, Error));
  EXPECT_EQ(Error, "received memory: its size is not sealed");
  int Empty = ::memfd_create("test", MFD_ALLOW_SEALING);
  ASSERT_EQ(
      ::fcntl(Empty, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL),
      0);
  EXPECT_FALSE(SharedMemory::adopt(Empty, Error));
  EXPECT_EQ(Error, "received memory: empty");
}

} // namespace
