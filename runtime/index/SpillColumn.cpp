#include "runtime/index/SpillColumn.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

using namespace instantrace::index;

namespace {

constexpr uint64_t FirstBytes = 1 << 16;

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
  uint64_t Wanted = std::max(std::max(Bytes, Capacity * 2), FirstBytes);
  if (Descriptor < 0)
    Descriptor = openNameless(Folder);
  if (Descriptor < 0) {
    Failure = errno;
    return false;
  }
  Failure = ::posix_fallocate(Descriptor, 0, static_cast<off_t>(Wanted));
  if (Failure != 0)
    return false;
  void *Mapped = Data ? ::mremap(Data, Capacity, Wanted, MREMAP_MAYMOVE)
                      : ::mmap(nullptr, Wanted, PROT_READ | PROT_WRITE,
                               MAP_SHARED, Descriptor, 0);
  if (Mapped == MAP_FAILED) {
    Failure = errno;
    return false;
  }
  Data = static_cast<uint8_t *>(Mapped);
  Capacity = Wanted;
  return true;
}

SpillFile::~SpillFile() {
  if (Data)
    ::munmap(Data, Capacity);
  if (Descriptor >= 0)
    ::close(Descriptor);
}
