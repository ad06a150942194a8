/// \file
/// What commands that ask an index have in common.
///
/// Flow: command line -> [IndexArguments] -> TraceIndex -> InstantiationIndex
#pragma once

#include "runtime/base/Result.h"
#include "runtime/index/Index.h"
#include "runtime/strings/Dictionary.h"

#include <string>
#include <vector>

namespace instantrace {

/// Opens the index of these traces, or makes it, and notes what it made.
Result<InstantiationIndex>
readIndexArguments(const std::vector<std::string> &Paths);

/// The parts of names that a style shows; one without template arguments is an
/// error of who asked for it.
Result<InstantiationIndex::NameParts> namePartsOf(const NameStyle &Style);

} // namespace instantrace
