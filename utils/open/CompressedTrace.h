/// \file
/// Traces as zstd frames, x.itrace.zst: what `compact` makes, and `zstd` does;
/// and what others compress by gzip, x.json.gz.
///
/// Flow:   bytes of a trace <-> [CompressedTrace] <-> bytes of a file
/// Errors: of a damaged file what is before the damage is there, with the
///         damage, by the offset in the compressed file
/// Memory: of the expanded trace, which is limited by the size of the file
#pragma once

#include "runtime/base/Result.h"

#include <string>
#include <string_view>

namespace instantrace {

inline constexpr std::string_view TraceEnding = ".itrace";
/// Behind that one.
inline constexpr std::string_view CompressedEnding = ".zst";

inline constexpr std::string_view GzipEnding = ".gz";

/// By its first bytes, whatever its name.
bool isCompressed(std::string_view Bytes);

/// zstd's; the default is its own.
struct CompressionLevel {
  static constexpr int Least = 1, Default = 3, Most = 19;
};

/// One frame with a checksum of its content.
Result<std::string> compressTrace(std::string_view Bytes, int Level);

struct ExpandedTrace {
  std::string Bytes;
  std::string Damage; ///< "zstd: byte N: found, expected"; empty: none
};

/// Of frames behind one another. Real traces become a fifth at most: what
/// claims to be much more is refused before it has filled the memory.
ExpandedTrace expandTrace(std::string_view Compressed);

/// Whether the name is of a trace, compressed or not.
bool hasTraceName(std::string_view Path);

} // namespace instantrace
