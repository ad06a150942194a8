/// \file
/// Where the decoders of one packet report what they find wrong.
///
/// Flow:   decoders -> [IssueSink] -> TraceInput::Issues
/// Leaves: what to do after a fatal one: the decoder returns, the reader stops
#pragma once

#include "runtime/read/Trace.h"

#include <string>
#include <string_view>

namespace instantrace {

class IssueSink {
public:
  explicit IssueSink(TraceInput &File) : File(File) {}

  void enterPacket(uint64_t PacketNo, uint64_t OffsetBytes) {
    this->PacketNo = PacketNo;
    this->OffsetBytes = OffsetBytes;
  }

  /// The trace can be read on; verify alone shows it.
  void note(std::string_view Invariant, std::string Found,
            std::string Expected) {
    add(Invariant, std::move(Found), std::move(Expected), false);
  }
  /// What follows cannot be understood.
  void fatal(std::string_view Invariant, std::string Found,
             std::string Expected) {
    add(Invariant, std::move(Found), std::move(Expected), true);
    Failed = true;
  }
  /// One that somebody else has found.
  void add(const TraceIssue &Found) {
    File.Issues.push_back(Found);
    Failed |= Found.Fatal;
  }
  bool failed() const { return Failed; }

private:
  /// A hostile file could have an issue per byte.
  static constexpr size_t KeptLimit = 1000;

  void add(std::string_view Invariant, std::string Found, std::string Expected,
           bool Fatal) {
    if (File.Issues.size() >= KeptLimit && !Fatal) {
      ++File.IssuesNotKept;
      return;
    }
    File.Issues.push_back({Invariant, PacketNo, OffsetBytes, std::move(Found),
                           std::move(Expected), Fatal});
  }

  TraceInput &File;
  uint64_t PacketNo = 0;
  uint64_t OffsetBytes = 0;
  bool Failed = false;
};

} // namespace instantrace
