/// \file
/// Replaces a trace by a compressed one, and writes traces that other traces
/// are made into.
///
/// Flow:   x.itrace -> CompressedTrace -> x.itrace.zst
/// Errors: "PATH: found, expected"; then the trace is as it was. What is written
///         is expanded and compared before the trace goes, and the new file has
///         its times and its mode
/// Trust:  what is no trace is not touched, nor a link, nor a file that
///         something else has the new name of
#pragma once

#include "runtime/base/Result.h"
#include "runtime/record/TraceFile.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace instantrace {

struct Compaction {
  int Level = 0;      ///< of CompressionLevel
  bool Keeps = false; ///< the trace that was there
};

struct CompactedFile {
  std::string Path, NewPath; ///< equal: it was so before
  uint64_t BytesBefore = 0, BytesAfter = 0;
};

Result<CompactedFile> compactFile(const std::string &Path,
                                  const Compaction &How);

/// A file that appears under its name when it is whole, compressed where the
/// name says so. Replaces nothing but a trace.
class NewTrace {
public:
  explicit NewTrace(const std::string &Path);

  /// Whole packets: compressed they are a frame.
  Result<void> append(std::string_view Packets);
  /// The size of the file.
  Result<uint64_t> commit();

private:
  TraceFile File;
  bool Compresses;
};

} // namespace instantrace
