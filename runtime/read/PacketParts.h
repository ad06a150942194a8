/// \file
/// Takes a packet apart into its body and its sequence, and reads the body that
/// every sequence begins with.
///
/// Flow:   PacketFraming -> [PacketParts] -> TraceReader, SequenceReader
/// Layout: proto/trace.proto, Packet and FileHeader
/// Errors: reported to the sink; what is no protobuf throws
///         protozero::exception
#pragma once

#include "runtime/format/Schema.h"
#include "runtime/read/IssueSink.h"

#include <protozero/pbf_reader.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace instantrace {

struct PacketParts {
  PacketBody Body = PacketBody::None;
  protozero::pbf_reader Content;
  uint32_t SequenceId = 0;
};

/// Of several bodies, which is a fault, the last one. Bytes must outlive the
/// result.
PacketParts partsOf(std::string_view Packet, IssueSink &Issues);

/// The format's minor version. None: the header is not one of this format, or
/// of another major version, as the sink was told.
std::optional<uint32_t> readFileHeader(protozero::pbf_reader Header,
                                       IssueSink &Issues);

} // namespace instantrace
