/// \file
/// What a command is to whoever runs it.
#ifndef INSTANTRACE_UTILS_CLI_COMMAND_H
#define INSTANTRACE_UTILS_CLI_COMMAND_H

#include "runtime/base/Result.h"

#include <functional>

namespace instantrace {

inline constexpr int ExitSuccess = 0;
inline constexpr int ExitBadInput = 1;
inline constexpr int ExitUsage = 2;
inline constexpr int ExitOverBudget = 3; ///< of diff and budget

/// Runs a command with the options that were parsed.
using CommandRun = std::function<Result<int>()>;

} // namespace instantrace

#endif
