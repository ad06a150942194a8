/// \file
/// Reads the text of a trace: the fields of trace.proto, and records by name.
///
/// Flow:   text -> [TraceText] -> proto::Trace, NamedRecords
/// Layout: proto/trace.proto, and proto/text.proto for what `events` may have
///         beside it
#pragma once

#include "proto/trace.pb.h"
#include "runtime/base/Result.h"
#include "utils/export/NamedRecords.h"

#include <string>

namespace instantrace {

struct TraceText {
  proto::Trace Trace;
  NamedRecords Records;
};

/// \p Name is what messages call the text. Errors: with line and column.
Result<TraceText> parseTraceText(const std::string &Text,
                                 const std::string &Name);

} // namespace instantrace
