/// \file
/// Where the packets of each compile are in a file, found before any of them is
/// decoded.
///
/// Flow:   bytes -> PacketFraming -> [scanTrace] -> TraceScan -> TraceReader
/// Errors: reported to the sink; what precedes the first damage is listed
/// Memory: 32 bytes for each packet, and a window of the file
///
/// The packets of a compile come in the order in which it wrote them: many
/// events precede the entities that they name, and in a merged file compiles
/// may take turns. With the list, each compile is read by itself, its tables
/// before its events, whatever the order in the file. Checksums are computed
/// here and nowhere else.
#pragma once

#include "runtime/format/Schema.h"
#include "runtime/read/IssueSink.h"
#include "runtime/read/TraceReader.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

/// The bytes of a trace, from any place.
class TraceBytes {
public:
  /// They must outlive the object.
  explicit TraceBytes(std::string_view All) : All(All) {}
  /// Reads up to so many bytes from that place on; 0: there are none.
  using ReadAt =
      std::function<size_t(uint64_t OffsetBytes, char *Into, size_t MostBytes)>;
  explicit TraceBytes(ReadAt Read) : Read(std::move(Read)) {}

  /// One packet after the other, from the begin.
  PacketFraming packets();
  /// Valid until the next call. Shorter where the file has become so.
  std::string_view view(uint64_t OffsetBytes, uint64_t SizeBytes);

private:
  std::string_view All;
  ReadAt Read;
  std::string Window;
  uint64_t WindowOffset = 0; ///< in the file
};

struct PacketPlace {
  uint64_t OffsetBytes; ///< of its bytes, behind its frame
  uint64_t SizeBytes;
  uint64_t PacketNo; ///< in the file, from 1
  uint32_t FrameBytes;
  PacketBody Body;
};

/// One compile.
struct SequencePackets {
  uint32_t Id = 0;
  uint32_t FormatMinor = 0;
  uint64_t HeaderNo = 0; ///< packet
  /// Behind the file header.
  std::vector<PacketPlace> Packets;
  /// Nearly how many intervals it has: the begin of the last batch says it, and
  /// records cannot be shorter than they are.
  uint64_t MostIntervals = 0;
};

struct TraceScan {
  std::vector<SequencePackets> Sequences; ///< in the order of their headers
  uint64_t PacketCount = 0;               ///< before the first damage
  uint64_t LastOffsetBytes = 0;           ///< of the last packet
};

/// \p Issues is that of the file.
TraceScan scanTrace(TraceBytes &Bytes, IssueSink &Issues);

} // namespace instantrace
