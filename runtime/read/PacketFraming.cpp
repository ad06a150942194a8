#include "runtime/base/Hash.h"
#include "runtime/format/Schema.h"
#include "runtime/read/TraceReader.h"

#include <protozero/exception.hpp>
#include <protozero/varint.hpp>

#include <cstdio>

using namespace instantrace;

namespace {

// Both are one byte.
constexpr auto PacketTag = static_cast<char>(schema::Trace::Packet.tag());
constexpr auto ChecksumTag = static_cast<char>(schema::Packet::Checksum.tag());

std::string hex(uint64_t Value, int Digits) {
  char Text[24];
  std::snprintf(Text, sizeof Text, "0x%0*llx", Digits,
                static_cast<unsigned long long>(Value));
  return Text;
}

uint32_t littleEndian32(const char *From) {
  uint32_t Value = 0;
  for (int I = 3; I >= 0; --I)
    Value = Value << 8 | static_cast<unsigned char>(From[I]);
  return Value;
}

} // namespace

uint32_t instantrace::packetChecksum(std::string_view Packet) {
  return static_cast<uint32_t>(hashBytes(Packet));
}

std::optional<std::string_view>
PacketFraming::damaged(std::string_view Invariant, std::string Found,
                       std::string Expected) {
  Issue =
      TraceIssue{Invariant,           PacketNo, OffsetBytes, std::move(Found),
                 std::move(Expected), true};
  return std::nullopt;
}

std::optional<std::string_view> PacketFraming::next() {
  if (Issue || NextBytes == Bytes.size())
    return std::nullopt;
  ++PacketNo;
  OffsetBytes = NextBytes;
  const char *Cursor = Bytes.data() + NextBytes;
  const char *End = Bytes.data() + Bytes.size();
  // New fields go into Packet; at this level any other tag is a damaged byte
  // that no checksum covers.
  if (*Cursor != PacketTag)
    return damaged("packet-tag",
                   "byte " + hex(static_cast<unsigned char>(*Cursor), 2),
                   hex(PacketTag, 2));
  ++Cursor;
  uint64_t SizeBytes = 0;
  try {
    SizeBytes = protozero::decode_varint(&Cursor, End);
  } catch (const protozero::exception &) {
    return damaged("packet-length", "no whole number", "a varint");
  }
  auto LeftBytes = static_cast<uint64_t>(End - Cursor);
  if (SizeBytes > LeftBytes)
    return damaged("packet-length",
                   std::to_string(LeftBytes) + " bytes to the end of the file",
                   std::to_string(SizeBytes) + " bytes");
  std::string_view Packet(Cursor, SizeBytes);
  NextBytes = static_cast<uint64_t>(Cursor - Bytes.data()) + SizeBytes;
  if (SizeBytes < ChecksumFieldBytes ||
      Packet[SizeBytes - ChecksumFieldBytes] != ChecksumTag)
    return damaged("checksum", "none", "a checksum as the packet's last field");
  uint32_t Found = littleEndian32(End - LeftBytes + SizeBytes - 4);
  uint32_t Computed =
      packetChecksum(Packet.substr(0, SizeBytes - ChecksumFieldBytes));
  if (Found != Computed)
    return damaged("checksum", hex(Found, 8), hex(Computed, 8));
  return Packet;
}
