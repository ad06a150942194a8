/// \file
/// Where a file is given up: at as many zeros as no file has that we read.
///
/// A sparse file of a terabyte takes a few kilobytes on a disk, and reads as
/// zeros. Neither a trace nor a text has 256 KiB of them, so what follows is
/// not read, and what was read says what is wrong, as of any other damage.
///
/// Flow: bytes as they come -> [HoleWatch] -> whether to go on
#pragma once

#include "runtime/shm/BufferSnapshot.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace instantrace {

class HoleWatch {
public:
  /// Read at most as much at once.
  static constexpr size_t PieceBytes = 256 << 10;

  /// \p Piece was read; false: it ends such a run of zeros.
  bool goesOn(std::string_view Piece) {
    bool IsZeros = !Piece.empty() && Piece.front() == '\0' &&
                   Piece.back() == '\0' &&
                   Piece.find_first_not_of('\0') == Piece.npos;
    ZeroBytes = IsZeros ? ZeroBytes + Piece.size() : 0;
    return ZeroBytes < PieceBytes;
  }

private:
  size_t ZeroBytes = 0; ///< of whole pieces, up to the last one
};

/// A file from its begin to its end, \p MostBytes or a hole.
inline std::string readToHole(const FileBufferImage &File,
                              uint64_t MostBytes = UINT64_MAX) {
  HoleWatch Holes;
  std::string All;
  // Most files are small: filling it with zeros takes longer than reading one.
  auto Bytes = std::make_unique_for_overwrite<char[]>(HoleWatch::PieceBytes);
  std::string_view Piece;
  do {
    uint64_t Wanted =
        std::min<uint64_t>(HoleWatch::PieceBytes, MostBytes - All.size());
    Piece = {Bytes.get(), File.read(All.size(), Bytes.get(), Wanted)};
    All += Piece;
  } while (Piece.size() == HoleWatch::PieceBytes && Holes.goesOn(Piece));
  return All;
}

} // namespace instantrace
