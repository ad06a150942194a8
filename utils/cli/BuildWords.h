/// \file
/// The command behind the -- of `record` and `run`.
///
/// Flow: command line -> [buildWords] -> BuildProcess
#ifndef INSTANTRACE_UTILS_CLI_BUILDWORDS_H
#define INSTANTRACE_UTILS_CLI_BUILDWORDS_H

#include <string>
#include <vector>

namespace instantrace {

/// Of what CLI11 leaves: the first word, which is an argument of the command,
/// and the -- before it, which is there (CommandLine.cpp), with the others.
inline std::vector<std::string> buildWords(const std::string &First,
                                           std::vector<std::string> Rest) {
  Rest.front() = First;
  return Rest;
}

} // namespace instantrace

#endif
