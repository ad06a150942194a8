/// \file
/// What a packet may hold.
///
/// Layout: proto/trace.proto, Packet
#ifndef INSTANTRACE_RUNTIME_FORMAT_PACKETBODY_H
#define INSTANTRACE_RUNTIME_FORMAT_PACKETBODY_H

#include <cstdint>

namespace instantrace {

/// Numbers of the oneof in proto Packet.
enum class PacketBody : uint8_t {
  None = 0, ///< or one of a newer minor version
  FileHeader = 1,
  Session = 2,
  Dictionary = 3,
  Locations = 4,
  Entities = 5,
  Events = 6,
  MemoizedHits = 7,
  Footer = 8,
  DeclarationLocations = 9,
  Inclusions = 10,
};
inline constexpr uint32_t LargestBody = 10;

} // namespace instantrace

#endif
