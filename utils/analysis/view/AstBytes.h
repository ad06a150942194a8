/// \file
/// The memory that the syntax tree takes for each interval.
///
/// Flow: Sequence -> [inclusiveAstBytes] -> dump
#ifndef INSTANTRACE_UTILS_ANALYSIS_VIEW_ASTBYTES_H
#define INSTANTRACE_UTILS_ANALYSIS_VIEW_ASTBYTES_H

#include "runtime/read/Trace.h"

#include <vector>

namespace instantrace {

/// By interval: its own bytes and those of all intervals inside it.
std::vector<uint64_t> inclusiveAstBytes(const Sequence &S);

} // namespace instantrace

#endif
