/// \file
/// Joins traces into one file, and takes one apart into its compiles. Packets
/// are passed on unread; where two files have the same number for a sequence,
/// that is all that changes.
///
/// Flow:   bytes of traces -> [TraceMerger] -> bytes of one
///         bytes of a trace -> [splitTrace] -> a trace for each compile
/// Errors: what is not a trace from its first packet. Of a damaged one the whole
///         packets before the damage are used, and the damage is told
#pragma once

#include "runtime/base/Result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace instantrace {

/// "NAME: packet N (byte N): found, expected"
using TraceDamage = std::optional<std::string>;

class TraceMerger {
public:
  /// Appends to \p Into what \p Bytes of the file \p Name have.
  Result<TraceDamage> add(std::string_view Bytes, const std::string &Name,
                          std::string &Into);
  uint64_t compiles() const { return Compiles; }

private:
  std::unordered_set<uint32_t> Used; ///< by the files before
  uint32_t Last = 0;                 ///< tried
  uint64_t Compiles = 0;
};

struct CompileTrace {
  std::string Source; ///< as the compiler was given it; empty: not known
  std::string Bytes;
};

/// Appends to \p Into, in the order of their headers.
Result<TraceDamage> splitTrace(std::string_view Bytes, const std::string &Name,
                               std::vector<CompileTrace> &Into);

} // namespace instantrace
