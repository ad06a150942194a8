#include "runtime/read/PacketParts.h"

#include "runtime/format/FieldTag.h"
#include "runtime/format/Record.h"

#include <string>

using namespace instantrace;
using protozero::pbf_reader;

namespace {
constexpr uint32_t SequenceIdField = 14;
} // namespace

PacketParts instantrace::partsOf(std::string_view Bytes, IssueSink &Issues) {
  PacketParts Parts;
  pbf_reader Packet(Bytes.data(), Bytes.size());
  while (Packet.next()) {
    if (Packet.tag_and_type() == varint(SequenceIdField)) {
      Parts.SequenceId = Packet.get_uint32();
    } else if (Packet.tag() <= LargestBody &&
               Packet.tag_and_type() == lengthDelimited(Packet.tag())) {
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
  while (Header.next()) {
    switch (Header.tag_and_type()) {
    case lengthDelimited(1): {
      protozero::data_view View = Header.get_view();
      Magic = {View.data(), View.size()};
      break;
    }
    case varint(2):
      Major = Header.get_uint32();
      break;
    case varint(3):
      Minor = Header.get_uint32();
      break;
    default:
      Header.skip();
    }
  }
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
