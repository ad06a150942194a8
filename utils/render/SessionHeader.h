/// \file
/// What was compiled, by what, and when, as lines of `key: value`.
#pragma once

#include "runtime/read/Trace.h"

#include <string>

namespace instantrace {

/// Requires: S is a sequence of T.
std::string sessionHeader(const Trace &T, const Sequence &S);

/// "clang++ -c a.cpp", clean (CleanText.h) and bounded.
std::string commandText(const TraceSession &Session);

} // namespace instantrace
