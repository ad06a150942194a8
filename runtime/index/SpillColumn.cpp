#include "runtime/index/SpillColumn.h"

#include "runtime/index/WholeBytes.h"

#include <cerrno>
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

bool SpillFile::read(uint64_t Offset, size_t SizeBytes, void *Into) {
  if (Failure == 0)
    Failure = readWhole(Descriptor, Offset, Into, SizeBytes).errorOf(SizeBytes);
  return Failure == 0;
}

bool SpillFile::write(uint64_t Offset, size_t SizeBytes, const void *Bytes) {
  if (Failure == 0)
    Failure =
        writeWhole(Descriptor, Offset, Bytes, SizeBytes).errorOf(SizeBytes);
  return Failure == 0;
}

SpillFile::~SpillFile() {
  if (Descriptor >= 0)
    ::close(Descriptor);
}
