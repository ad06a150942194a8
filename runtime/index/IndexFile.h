/// \file
/// Puts the sections of an index into a file, with their sums.
///
/// Flow:   IndexBuilder -> [IndexFile] -> descriptor
/// Errors: the system's reason, without the name of the file
#ifndef INSTANTRACE_RUNTIME_INDEX_INDEXFILE_H
#define INSTANTRACE_RUNTIME_INDEX_INDEXFILE_H

#include "runtime/base/Result.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace instantrace::index {

class IndexFile {
public:
  /// Open for writing, and empty.
  explicit IndexFile(int Descriptor) : Descriptor(Descriptor) {}

  /// The next section, in the order of Sections.def. Its bytes must live until
  /// write() has returned.
  void add(const void *Rows, uint64_t SizeBytes) {
    Contents.emplace_back(static_cast<const char *>(Rows), SizeBytes);
  }
  /// Requires: every section was added.
  Result<void> write(uint64_t TraceBytes, uint64_t TraceHash);

private:
  bool put(std::string_view Bytes, uint64_t Offset);

  int Descriptor;
  std::vector<std::string_view> Contents;
};

} // namespace instantrace::index

#endif
