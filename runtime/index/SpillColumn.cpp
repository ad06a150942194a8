#include "runtime/index/SpillColumn.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

using namespace instantrace::index;

namespace {

constexpr uint64_t FirstBytes = 1 << 16;
/// No file before that: most indexes are small, and a file takes longer.
constexpr uint64_t MostBytesWithoutFile = 4 << 20;
/// What of a file is in memory while it grows, twice that at most.
constexpr uint64_t WindowBytes = 1 << 20;

/// A file without a name in \p Folder; -1: errno says why.
int openNameless(const std::string &Folder) {
#ifdef O_TMPFILE
  int Open = ::open(Folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  // Some file systems have none.
  if (Open >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
    return Open;
#endif
  std::string Name = Folder + "/.instantrace-index-XXXXXX";
  int Made = ::mkostemp(Name.data(), O_CLOEXEC);
  if (Made >= 0)
    ::unlink(Name.c_str());
  return Made;
}

} // namespace

bool SpillFile::reserve(uint64_t Bytes) {
  if (Failure != 0)
    return false;
  if (Bytes <= Capacity) {
    letGo(Room - std::min(Room, WindowBytes));
    Room = std::min(Capacity, Bytes + WindowBytes);
    return true;
  }
  uint64_t Wanted = std::max(std::max(Bytes, Capacity * 2), FirstBytes);
  if (Descriptor < 0 && Wanted <= MostBytesWithoutFile)
    return remap(Wanted, Data, -1);
  const bool IsMoved = Descriptor < 0 && Data;
  if (Descriptor < 0)
    Descriptor = openNameless(Folder);
  if (Descriptor < 0) {
    Failure = errno;
    return false;
  }
  Failure = ::posix_fallocate(Descriptor, 0, static_cast<off_t>(Wanted));
  if (Failure != 0)
    return false;
  uint8_t *Before = Data;
  const uint64_t BytesBefore = Capacity;
  if (!remap(Wanted, IsMoved ? nullptr : Data, Descriptor))
    return false;
  if (IsMoved) {
    std::memcpy(Data, Before, BytesBefore);
    ::munmap(Before, BytesBefore);
  }
  return true;
}

/// Maps that much of a file, or of memory for -1: more of what there is at
/// \p Known, or anew.
bool SpillFile::remap(uint64_t Wanted, uint8_t *Known, int Of) {
  const int Kind = Of < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  void *Mapped =
      Known ? ::mremap(Known, Capacity, Wanted, MREMAP_MAYMOVE)
            : ::mmap(nullptr, Wanted, PROT_READ | PROT_WRITE, Kind, Of, 0);
  if (Mapped == MAP_FAILED) {
    Failure = errno;
    return false;
  }
  Data = static_cast<uint8_t *>(Mapped);
  Room = Of < 0 ? Wanted : std::min(Wanted, Capacity + WindowBytes);
  Capacity = Wanted;
  return true;
}

void SpillFile::letGo(uint64_t UpTo) {
  UpTo -= UpTo % WindowBytes;
  if (Descriptor < 0 || UpTo <= LetGo)
    return;
  ::madvise(Data + LetGo, UpTo - LetGo, MADV_DONTNEED);
  LetGo = UpTo;
}

SpillFile::~SpillFile() {
  if (Data)
    ::munmap(Data, Capacity);
  if (Descriptor >= 0)
    ::close(Descriptor);
}
