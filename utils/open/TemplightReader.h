/// \file
/// Reads Templight's traces into the model, and trusts nothing in them.
///
/// Flow:   bytes -> [TemplightReader] -> Trace
/// Layout: test/viewers/templight.proto
/// Source: Templight, templight_messages.proto and its writer; the numbers of
///         kinds are those of the Clang that it was built with (TemplightKinds)
/// Errors: a file is refused as a whole, with the byte, what was found and what
///         is expected. Only ends that are missing are none: Templight itself
///         loses some, so the intervals are unfinished, as the model has it
///
/// Times count from the first event. What Templight calls memory is the heap of
/// the compiler; what it grew by stands for the bytes of the syntax tree.
/// Memoizations are instants, as in traces of our own.
#pragma once

#include "runtime/base/Result.h"
#include "runtime/read/Trace.h"

#include <string>
#include <string_view>

namespace instantrace {

/// True for what begins as Templight's files do, however it goes on.
bool isTemplight(std::string_view Bytes);

/// Appends one TraceInput and a sequence per compile. Bytes need not outlive
/// the call. After an error, nothing is to be made of Into.
Result<void> readTemplight(std::string_view Bytes, const std::string &Name,
                           Trace &Into);

} // namespace instantrace
