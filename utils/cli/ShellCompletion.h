/// \file
/// Scripts that complete the command line in bash, zsh and fish.
///
/// Flow: CommandModel -> [ShellCompletion] -> a shell
#pragma once

#include "utils/cli/CommandModel.h"

#include <string>

namespace instantrace {

enum class Shell { Bash, Zsh, Fish };

std::string shellCompletion(Shell For, const CommandModel &Whole);

} // namespace instantrace
