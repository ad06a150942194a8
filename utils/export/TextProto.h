/// \file
/// The trace as protobuf text, both ways.
///
/// Flow:   trace -> [dumpTextProto] -> text -> TraceText -> NamedRecords ->
///         [traceBytes] -> trace
///
/// Only here is libprotobuf used; everything else reads with TraceReader.
#pragma once

#include "proto/trace.pb.h"
#include "runtime/base/Result.h"
#include "utils/open/InputObserver.h"
#include "utils/render/Output.h"

#include <string>
#include <vector>

namespace instantrace {

/// Prints packets one by one, without their checksums. A damaged file is
/// printed up to its damage, of which \p Seen is warned. Finishes \p Out.
Result<int> dumpTextProto(const std::vector<std::string> &Inputs, Output &Out,
                          InputObserver &Seen);

/// The bytes of the trace that a text describes, with records as numbers or by
/// name (proto/text.proto).
/// Errors: with the line and column in the text; a first packet that is no
/// file header.
Result<std::string> assembleTrace(const std::string &Text,
                                  const std::string &Name, bool KeepChecksums);

/// With right checksums, unless those of the packets are kept.
std::string traceBytes(const proto::Trace &Trace, bool KeepChecksums = false);

} // namespace instantrace
