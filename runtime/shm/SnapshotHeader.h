/// \file
/// Reads what stands before the pages of a buffer that may be anything.
///
/// Flow:   BufferImage -> [SnapshotHeader] -> BufferSnapshot without chunks
/// Layout: runtime/shm/BufferHeader.h
/// Errors: as takeSnapshot()
#pragma once

#include "runtime/shm/BufferSnapshot.h"

#include <array>

namespace instantrace {

/// Where the pages are; checked, but for whether the image has them all.
struct SnapshotGeometry {
  uint64_t HeaderBytes = 0;
  size_t PageSizeBytes = 0;
  size_t PageCount = 0;
  ByteRange NewestEntities{};

  uint64_t pageAt(size_t Page) const {
    return HeaderBytes + uint64_t(Page) * PageSizeBytes;
  }
};

/// The drain record in use.
struct DrainState {
  uint32_t Index = 0; ///< as found; its lowest bit was used
  uint64_t FileBytes = 0;
  std::array<uint32_t, MaxWriters> LastSequence{};
  friend bool operator==(const DrainState &, const DrainState &) = default;
};

/// All that was written once, with the writers, and the geometry.
bool readSnapshotHeader(const BufferImage &Image, BufferSnapshot &Into,
                        SnapshotGeometry &Geometry, std::string &Error);
/// False: the file ends before it.
bool readDrainState(const BufferImage &Image, DrainState &Into,
                    std::string &Error);
/// What is left of LiveState, and the newest entities. Fields that are out of
/// range become a problem.
void readLiveFields(const BufferImage &Image, const SnapshotGeometry &Geometry,
                    BufferSnapshot &Into);

} // namespace instantrace
