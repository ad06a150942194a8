/// \file
/// Takes an event batch apart into what it starts with and its records.
///
/// Flow:   PacketParts -> [EventBatch] -> EventDecoder, SequenceReader
/// Layout: proto/trace.proto, EventBatch
/// Errors: what is no protobuf throws protozero::exception
#pragma once

#include "runtime/format/EventChunk.h"

#include <protozero/pbf_reader.hpp>

#include <optional>
#include <string_view>

namespace instantrace {

/// What the batch does not say is 0.
BatchStart readBatchStart(protozero::pbf_reader Batch);

/// The next piece of the records, of which a batch usually has one; none behind
/// the last. A view into the batch's bytes.
std::optional<std::string_view> nextRecords(protozero::pbf_reader &Batch);

} // namespace instantrace
