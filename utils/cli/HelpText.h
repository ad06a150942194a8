/// \file
/// What `--help` and `-h` print: no wider than 80 columns, commands by what one
/// wants.
///
/// Flow:   CommandModel -> [helpText] -> stdout
/// Leaves: footers as they are written; a test finds lines that are too wide
#pragma once

#include "utils/cli/CommandModel.h"

#include <string>

namespace instantrace {

/// Short: without examples and explanations. All: of the tool, with all
/// commands, and not those of the first group alone.
enum class HelpLength { Short, Long, All };

/// Of \p Page, which is \p Whole or one of its commands.
std::string helpText(const CommandModel &Whole, const CommandModel &Page,
                     HelpLength Length);

} // namespace instantrace
