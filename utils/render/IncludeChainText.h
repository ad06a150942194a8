/// \file
/// Over which #includes a file is reached, for people: the file they gave the
/// compiler first, then what that drags in.
///
/// Flow:   IncludeChain -> [IncludeChainText] -> CostText, HeaderText
#pragma once

#include "utils/analysis/chains/IncludeChains.h"

#include <cstddef>
#include <string>
#include <vector>

namespace instantrace {

/// `a.cpp:3 > b.h:7`, files by their names, in lines of at most \p Columns, and
/// as many lines as \p MostLines; of a longer chain the middle is left out,
/// with the number of its files. At least one line.
std::vector<std::string> includeChainLines(const IncludeChain &Chain,
                                           size_t Columns, size_t MostLines);

/// `b.h:7 < a.cpp:3`: whole paths, and the file that has the #include first, as
/// records have it.
std::string includeChainRecord(const IncludeChain &Chain);

} // namespace instantrace
