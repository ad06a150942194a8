/// \file
/// The command behind the -- of `record` and `run`.
///
/// Flow: command line -> [buildWords] -> BuildProcess
#ifndef INSTANTRACE_UTILS_CLI_BUILDWORDS_H
#define INSTANTRACE_UTILS_CLI_BUILDWORDS_H

#include "runtime/base/Result.h"

#include <string>
#include <vector>

namespace instantrace {

/// Of what CLI11 leaves: the first word, which is an argument of the command
/// \p Name, and the -- before it with the others. Errors: there is no --.
inline Result<std::vector<std::string>>
buildWords(const std::string &Name, const std::string &First,
           std::vector<std::string> Rest) {
  if (Rest.empty() || Rest.front() != "--")
    return usageError(
        "found no -- before " + First + ", expected instantrace " + Name +
        " [options] -- command; see instantrace " + Name + " --help");
  Rest.front() = First;
  return Rest;
}

} // namespace instantrace

#endif
