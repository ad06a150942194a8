/// \file
/// How long names may be in an output, so that it stays in proportion to the
/// traces.
///
/// Flow:   Trace, what a command does with names -> [affordableNameBytes] ->
///         NameOptions, TraceFilter, NameQuery
/// Leaves: cutting, to Dictionary
///
/// Names are made of each other, and a megabyte of them can mean a gigabyte
/// that has 64 KiB of each. No build that we know has so much; what has is cut
/// earlier, all names at the same length.
#pragma once

#include "runtime/read/Trace.h"

#include <array>
#include <cstdint>

namespace instantrace {

struct NameBudget {
  uint64_t UsualBytes;  ///< of a name, where nothing speaks against it
  uint64_t LeastBytes;  ///< however many names there are
  uint64_t PerFileByte; ///< bytes of names for each byte of the traces
  bool IsPerEvent;      ///< written for each event, not once for each entity
};

/// For each name that is compared with a pattern.
inline constexpr NameBudget MatchedNames = {1 << 16, 1 << 12, 128, false};

/// UsualBytes, or the largest half, fourth, ... of them with which the names
/// are within the budget, which is never less than that of a megabyte.
uint64_t affordableNameBytes(const Trace &T, const NameBudget &Budget);

/// The same where names are written once for each entity, of traces that are
/// read one by one.
class NameSizes {
public:
  NameSizes() = default;
  explicit NameSizes(const Trace &T);
  void add(const NameSizes &More);
  /// Requires: the bytes are powers of two, 2^16 at most.
  uint64_t affordableBytes(const NameBudget &Budget) const;

private:
  uint64_t FileBytes = 0;
  /// By n: all names, each cut after 2^n bytes.
  std::array<uint64_t, 17> CutBytes{};
};

/// Of the paths at the begin of an event, at its end and, with
/// \p HasDeclarations, of where the entity is declared.
struct PathBudget {
  uint64_t UsualBytes;  ///< of a path, where nothing speaks against it
  uint64_t LeastBytes;  ///< however many there are
  uint64_t PerFileByte; ///< bytes of paths for each byte of the traces
  bool HasDeclarations;
};

/// The same for paths that are written with each event.
uint64_t affordablePathBytes(const Trace &T, const PathBudget &Budget);

} // namespace instantrace
