#include "runtime/base/Hash.h"
#include "runtime/format/Schema.h"
#include "runtime/read/TraceReader.h"

#include <protozero/exception.hpp>
#include <protozero/varint.hpp>

#include <algorithm>
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

uint32_t littleEndian32(const char *Source) {
  uint32_t Value = 0;
  for (int I = 3; I >= 0; --I)
    Value = Value << 8 | static_cast<unsigned char>(Source[I]);
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

/// Has \p Wanted bytes in the rest, or all that there are. Asks for more as
/// they come, since a packet may say that it is longer than any file.
void PacketFraming::fill(uint64_t Wanted) {
  constexpr size_t PieceBytes = 1 << 18;
  if (!More || Rest.size() >= Wanted)
    return;
  Window.erase(0, Window.size() - Rest.size());
  while (Window.size() < Wanted) {
    size_t Have = Window.size();
    Window.resize(Have + std::max(PieceBytes, Have));
    size_t Got = More(Window.data() + Have, Window.size() - Have);
    Window.resize(Have + Got);
    if (Got == 0)
      break;
  }
  Rest = Window;
}

std::optional<std::string_view> PacketFraming::next() {
  constexpr size_t MostHeadBytes = 1 + protozero::max_varint_length;
  if (Issue)
    return std::nullopt;
  fill(MostHeadBytes);
  if (Rest.empty())
    return std::nullopt;
  ++PacketNo;
  OffsetBytes = NextBytes;
  const char *Cursor = Rest.data();
  const char *End = Cursor + Rest.size();
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
  auto HeadBytes = static_cast<size_t>(Cursor - Rest.data());
  fill(SizeBytes > UINT64_MAX - HeadBytes ? UINT64_MAX : HeadBytes + SizeBytes);
  uint64_t LeftBytes = Rest.size() - HeadBytes;
  if (SizeBytes > LeftBytes)
    return damaged("packet-length",
                   std::to_string(LeftBytes) + " bytes to the end of the file",
                   std::to_string(SizeBytes) + " bytes");
  std::string_view Packet = Rest.substr(HeadBytes, SizeBytes);
  Rest.remove_prefix(HeadBytes + SizeBytes);
  NextBytes += HeadBytes + SizeBytes;
  if (SizeBytes < ChecksumFieldBytes ||
      Packet[SizeBytes - ChecksumFieldBytes] != ChecksumTag)
    return damaged("checksum", "none", "a checksum as the packet's last field");
  uint32_t Found = littleEndian32(Packet.data() + SizeBytes - 4);
  uint32_t Computed =
      packetChecksum(Packet.substr(0, SizeBytes - ChecksumFieldBytes));
  if (Found != Computed)
    return damaged("checksum", hex(Found, 8), hex(Computed, 8));
  return Packet;
}
