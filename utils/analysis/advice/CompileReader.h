/// \file
/// Finds the files of one compile, and which of them something asked for.
///
/// Flow:   intervals of a compile -> [CompileReader] -> HeaderFacts
/// Memory: 16 bytes for each interval, while it is read
#pragma once

#include "utils/analysis/advice/HeaderFacts.h"

namespace instantrace {

/// Fills in Files, and Mains, Readings and Uses of In.
void readCompileFiles(const AdviceUnit &U, HeaderPart &Into);

} // namespace instantrace
