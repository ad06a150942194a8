/// \file
/// A manual page of a command, from what its help is made of.
///
/// Flow: CommandModel -> [manPage] -> roff (man macros) -> man
#pragma once

#include "utils/cli/CommandModel.h"

#include <string>

namespace instantrace {

/// \p Whole is the application; \p Page it, or one of its commands.
std::string manPage(const CommandModel &Whole, const CommandModel &Page);

} // namespace instantrace
