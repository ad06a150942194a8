/// \file
/// Writes the event records that a trace's text has by name.
///
/// Flow:   text -> TraceText -> [NamedRecords] -> proto::Trace -> bytes
/// Layout: proto/text.proto, proto/FORMAT.md ("Event records")
/// Leaves: records that the text has as numbers, which stay as they are
#pragma once

#include "proto/text.pb.h"
#include "proto/trace.pb.h"
#include "runtime/base/Result.h"

#include <map>
#include <string>
#include <vector>

namespace instantrace {

struct PlacedRecord {
  proto::NamedRecord Record;
  std::string Place; ///< as messages begin, such as "a.txt:7:3"
};

/// By the index of their `events` packet in the trace.
using NamedRecords = std::map<int, std::vector<PlacedRecord>>;

/// The trace with all its records as numbers, and with tables of what they name
/// and it does not have, before the footer of their sequence.
/// Errors: a name that is ambiguous, a time that goes back, an end without a
/// begin, and what a record cannot say.
Result<proto::Trace> writeNamedRecords(const proto::Trace &Trace,
                                       const NamedRecords &Records);

} // namespace instantrace
