/// \file
/// Puts the sections of an index into a file, with their sums.
///
/// Flow:   IndexBuilder -> [IndexFile] -> descriptor
/// Memory: a piece of a section
/// Errors: the system's reason, without the name of the file
#pragma once

#include "runtime/base/Result.h"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace instantrace::index {

class IndexFile {
public:
  /// Writes so many bytes of a section from a byte on, which are whole rows,
  /// and follow those that were asked for before. 0, or errno.
  using Source =
      std::function<int(uint64_t AtByte, size_t SizeBytes, char *Into)>;

  /// Open for writing, and empty but for what the header takes the place of.
  explicit IndexFile(int Descriptor) : Descriptor(Descriptor) {}

  /// The next section, in the order of Sections.def.
  void add(uint64_t SizeBytes, Source S) {
    Contents.push_back({SizeBytes, std::move(S)});
  }
  /// Requires: every section was added.
  Result<void> write(uint64_t TraceBytes, uint64_t TraceHash);

private:
  struct Content {
    uint64_t SizeBytes;
    Source S;
  };
  int put(const char *Bytes, size_t SizeBytes, uint64_t Offset);
  int putSection(const Content &Sec, size_t RowBytes, uint64_t Offset,
                 std::vector<uint64_t> &Sums);

  int Descriptor;
  std::vector<Content> Contents;
  std::vector<char> Piece;
};

} // namespace instantrace::index
