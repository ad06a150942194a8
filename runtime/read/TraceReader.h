/// \file
/// Reads trace files into the model, and trusts nothing in them.
///
/// Flow:   bytes -> [TraceReader] -> SequenceDecoder -> Trace
/// Layout: proto/trace.proto, proto/FORMAT.md
/// Errors: never fails as a whole: what precedes the first damage is in the
///         model, and the damage is in TraceInput::Issues. A reader that only
///         shows a trace looks at TraceInput::damage(); verify at all issues
/// Leaves: opening files
///
/// Memory is proportional to the bytes read, whatever they say.
#ifndef INSTANTRACE_RUNTIME_READ_TRACEREADER_H
#define INSTANTRACE_RUNTIME_READ_TRACEREADER_H

#include "runtime/read/Trace.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace instantrace {

/// Told now and then how many bytes are done.
using ByteProgress = std::function<void(uint64_t)>;

/// Appends one TraceInput and its sequences. Bytes need not outlive the call.
void readTrace(std::string_view Bytes, std::string Name, Trace &Into,
               const ByteProgress &AtByte = {});

/// Walks over the packets of a file without looking into them.
///
/// Used by readTrace() and by what passes packets on unread.
class PacketFraming {
public:
  /// Bytes must outlive the object.
  explicit PacketFraming(std::string_view Bytes) : Bytes(Bytes) {}

  /// The bytes of the next packet, a view into those of the constructor; none
  /// at the end and at the first damage, which issue() tells apart.
  std::optional<std::string_view> next();

  uint64_t packetNo() const { return PacketNo; } // of the last one, from 1
  uint64_t offsetBytes() const { return OffsetBytes; } // of its frame
  const std::optional<TraceIssue> &issue() const { return Issue; }

private:
  std::optional<std::string_view>
  damaged(std::string_view Invariant, std::string Found, std::string Expected);

  std::string_view Bytes;
  uint64_t NextBytes = 0;
  uint64_t OffsetBytes = 0;
  uint64_t PacketNo = 0;
  std::optional<TraceIssue> Issue;
};

/// The checksum field, the last of a packet: tag and 32 bits.
inline constexpr size_t ChecksumFieldBytes = 5;
/// Over the bytes of a packet that precede the field.
uint32_t packetChecksum(std::string_view PacketWithoutChecksum);

} // namespace instantrace

#endif
