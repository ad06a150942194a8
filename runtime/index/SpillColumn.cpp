#include "runtime/index/SpillColumn.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

using namespace instantrace::index;

namespace {

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

bool SpillFile::addChunk() {
  if (Failure != 0)
    return false;
  if (Chunks.size() - FirstKept < MostChunks) {
    Chunks.push_back(std::make_unique_for_overwrite<char[]>(ChunkBytes));
  } else {
    // The oldest one goes, and its memory is the new one's.
    if (Descriptor < 0)
      Descriptor = openNameless(Folder);
    if (Descriptor < 0) {
      Failure = errno;
      return false;
    }
    if (!write(FirstKept * ChunkBytes, ChunkBytes, Chunks[FirstKept].get()))
      return false;
    std::unique_ptr<char[]> Oldest = std::move(Chunks[FirstKept++]);
    Chunks.push_back(std::move(Oldest));
  }
  Last = Chunks.back().get();
  return true;
}

bool SpillFile::read(uint64_t At, size_t SizeBytes, void *Into) {
  for (size_t Got = 0; Failure == 0 && Got != SizeBytes;) {
    ssize_t More = ::pread(Descriptor, static_cast<char *>(Into) + Got,
                           SizeBytes - Got, static_cast<off_t>(At + Got));
    if (More > 0)
      Got += static_cast<size_t>(More);
    else if (More == 0 || errno != EINTR)
      Failure = More == 0 ? EIO : errno;
  }
  return Failure == 0;
}

bool SpillFile::write(uint64_t At, size_t SizeBytes, const void *From) {
  for (size_t Put = 0; Failure == 0 && Put != SizeBytes;) {
    ssize_t More = ::pwrite(Descriptor, static_cast<const char *>(From) + Put,
                            SizeBytes - Put, static_cast<off_t>(At + Put));
    if (More > 0)
      Put += static_cast<size_t>(More);
    else if (More == 0 || errno != EINTR)
      Failure = More == 0 ? EIO : errno;
  }
  return Failure == 0;
}

SpillFile::~SpillFile() {
  if (Descriptor >= 0)
    ::close(Descriptor);
}
