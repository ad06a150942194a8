#include "runtime/read/PacketParts.h"

#include "runtime/format/Record.h"
#include "runtime/read/FieldReader.h"

#include <string>

using namespace instantrace;
using protozero::pbf_reader;

PacketParts instantrace::partsOf(std::string_view Bytes, IssueSink &Issues) {
  PacketParts Parts;
  constexpr auto BodyType = protozero::pbf_wire_type::length_delimited;
  pbf_reader Packet(Bytes.data(), Bytes.size());
  while (Packet.next()) {
    if (Packet.tag_and_type() == schema::Packet::SequenceId.tag()) {
      Parts.SequenceId = Packet.get_uint32();
    } else if (isPacketBody(Packet.tag()) && Packet.has_wire_type(BodyType)) {
      if (Parts.Body != PacketBody::None)
        Issues.fatal("one-body", "a second body", "one in a packet");
      Parts.Body = static_cast<PacketBody>(Packet.tag());
      Parts.Content = Packet.get_message();
    } else {
      Packet.skip(); // a body or field of a newer minor version
    }
  }
  return Parts;
}

std::optional<uint32_t> instantrace::readFileHeader(pbf_reader Header,
                                                    IssueSink &Issues) {
  std::string_view Magic;
  uint32_t Major = 0, Minor = 0;
  readFields(Header, into(schema::FileHeader::Magic, Magic),
             into(schema::FileHeader::FormatMajor, Major),
             into(schema::FileHeader::FormatMinor, Minor));
  if (Magic != FormatMagic) {
    Issues.fatal("magic", std::to_string(Magic.size()) + " other bytes",
                 "\"" + std::string(FormatMagic) + "\"");
    return std::nullopt;
  }
  if (Major != FormatMajor) {
    bool Newer = Major > FormatMajor;
    Issues.fatal("version",
                 "trace version " + std::to_string(Major) + "." +
                     std::to_string(Minor) +
                     (Newer ? ", which is newer than this tool reads"
                            : ", which is older than this tool reads"),
                 "version " + std::to_string(FormatMajor) + ".x");
    return std::nullopt;
  }
  return Minor;
}
