/// \file
/// What commands that ask an index have in common.
///
/// Flow: command line -> [IndexArguments] -> TraceIndex -> InstantiationIndex
#ifndef INSTANTRACE_UTILS_CLI_INDEXARGUMENTS_H
#define INSTANTRACE_UTILS_CLI_INDEXARGUMENTS_H

#include "runtime/base/Result.h"
#include "runtime/index/Index.h"
#include "runtime/strings/Dictionary.h"
#include "utils/analysis/index/IndexedCosts.h"
#include "utils/cli/InputProgress.h"
#include "utils/input/TraceIndex.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace instantrace {

/// Opens the index of these traces, or makes it, and notes what it made.
Result<InstantiationIndex>
readIndexArguments(const std::vector<std::string> &Paths,
                   IndexContent Content = IndexContent::Records);
/// The same; \p Seen has what sessions lack, and says it once.
Result<InstantiationIndex>
readIndexArguments(const std::vector<std::string> &Paths, IndexContent Content,
                   InputProgress &Seen);

/// Adds --index. \p IsWanted must live until the command has run.
void addIndexOption(CLI::App &Command, bool &IsWanted);

/// Whether what was named is an index itself, and not what it is of.
bool areIndexes(const std::vector<std::string> &Paths);

/// The traces that an index is of, as the command line names them, or as they
/// were named when the index was made.
Result<std::vector<std::string>>
indexedTraces(const std::vector<std::string> &Paths, IndexedCosts &Costs);

/// The parts of names that a style shows; one without template arguments is an
/// error of who asked for it.
Result<InstantiationIndex::NameParts> namePartsOf(const NameStyle &Style);

} // namespace instantrace

#endif
