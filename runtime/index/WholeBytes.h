/// \file
/// Reads and writes at a place of a file, as often as all of the bytes take.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <unistd.h>

namespace instantrace::index {

struct MovedBytes {
  size_t Done = 0; ///< fewer than were wanted: Reason says why
  int Reason = 0;  ///< errno; 0: the file ends there, or has no room

  /// The same as errno, for who does not tell these apart.
  int errorOf(size_t WantedBytes) const {
    return Done == WantedBytes ? 0 : Reason != 0 ? Reason : EIO;
  }
};

/// \p Step is given how many are done, and moves some of the others as read(2)
/// and write(2) do.
template <class Mover> MovedBytes moveWhole(size_t SizeBytes, Mover Step) {
  MovedBytes Moved;
  while (Moved.Done != SizeBytes) {
    ssize_t More = Step(Moved.Done);
    if (More < 0 && errno == EINTR)
      continue;
    if (More <= 0) {
      Moved.Reason = More < 0 ? errno : 0;
      break;
    }
    Moved.Done += static_cast<size_t>(More);
  }
  return Moved;
}

inline MovedBytes readWhole(int Descriptor, uint64_t Offset, void *Into,
                            size_t SizeBytes) {
  return moveWhole(SizeBytes, [&](size_t Done) {
    return ::pread(Descriptor, static_cast<char *>(Into) + Done,
                   SizeBytes - Done, static_cast<off_t>(Offset + Done));
  });
}

inline MovedBytes writeWhole(int Descriptor, uint64_t Offset, const void *Bytes,
                             size_t SizeBytes) {
  return moveWhole(SizeBytes, [&](size_t Done) {
    return ::pwrite(Descriptor, static_cast<const char *>(Bytes) + Done,
                    SizeBytes - Done, static_cast<off_t>(Offset + Done));
  });
}

} // namespace instantrace::index
