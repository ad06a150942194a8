/// \file
/// Puts the sections of an index into a file, with their sums.
///
/// Flow:   IndexBuilder -> [IndexFile] -> descriptor
/// Errors: the system's reason, without the name of the file
#ifndef INSTANTRACE_RUNTIME_INDEX_INDEXFILE_H
#define INSTANTRACE_RUNTIME_INDEX_INDEXFILE_H

#include "runtime/base/Result.h"

#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace instantrace::index {

class IndexFile {
public:
  /// Open for writing, and empty.
  explicit IndexFile(int Descriptor) : Descriptor(Descriptor) {}

  /// The next section, in the order of Sections.def. Its bytes must live until
  /// write() has returned.
  /// \p AtByte is told how many of them are not needed any more.
  void add(const void *Rows, uint64_t SizeBytes,
           std::function<void(uint64_t)> AtByte = {}) {
    Contents.push_back(
        {{static_cast<const char *>(Rows), SizeBytes}, std::move(AtByte)});
  }
  /// Requires: every section was added.
  Result<void> write(uint64_t TraceBytes, uint64_t TraceHash);

private:
  struct Content {
    std::string_view Bytes;
    std::function<void(uint64_t)> AtByte;
  };
  bool put(std::string_view Bytes, uint64_t Offset);
  bool putSummed(const Content &From, uint64_t Offset,
                 std::vector<uint64_t> &Sums);

  int Descriptor;
  std::vector<Content> Contents;
};

} // namespace instantrace::index

#endif
