/// \file
/// What is wrong with a trace file: where, which invariant, found, expected.
///
/// Flow: TraceReader -> [TraceIssue] -> verify (all), warnings (the damage)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace instantrace {

struct TraceIssue {
  std::string_view Invariant; // a literal of the reader, as verify prints it
  uint64_t PacketNo = 0;      // from 1; 0: the whole file is something else
  uint64_t OffsetBytes = 0;   // of the packet in its file
  std::string Found;
  std::string Expected;
  bool Fatal = false; // nothing after this place was read

  /// "FILE: packet N (byte B): invariant: found X, expected Y"
  std::string message(const std::string &File) const;
};

} // namespace instantrace
