/// \file
/// What two builds were compiled by, where that is not the same.
///
/// Flow: sessions of both -> [CompilerText] -> diff, annotate, report
#pragma once

#include "runtime/read/Trace.h"

#include <string>

namespace instantrace {

/// "Clang 16.0.6 -> 19.1.7; -O0 -> -O2"; empty where it is the same.
std::string compilerDifference(const Trace &Old, const Trace &New);

} // namespace instantrace
