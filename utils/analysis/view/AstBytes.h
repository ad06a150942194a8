/// \file
/// The memory that the syntax tree takes for each interval.
///
/// Flow: Sequence -> [inclusiveAstBytes] -> dump
#pragma once

#include "runtime/read/Trace.h"

#include <vector>

namespace instantrace {

/// By interval: its own bytes and those of all intervals inside it.
std::vector<uint64_t> inclusiveAstBytes(const Sequence &S);

} // namespace instantrace
