/// \file
/// What a reader has to know of the hook that a trace was recorded by.
///
/// Flow: ObservedWork -> [HookText] -> notes of commands, header, report
#pragma once

#include "runtime/read/Trace.h"
#include "utils/analysis/view/ObservedWork.h"

#include <cstdint>
#include <string>

namespace instantrace {

/// "observer (2 of 9 instantiations are counted and not timed; ...)"; the bare
/// name where nothing is to be said.
std::string hookText(const Sequence &S);

/// The same for all compiles; empty when no hook=observer is among them.
std::string hookNote(const ObservedWork &Work, uint64_t Compiles);

/// Empty when the compiles of both were recorded by the same hooks.
std::string hookDifference(const Trace &Old, const Trace &New);

} // namespace instantrace
