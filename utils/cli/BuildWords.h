/// \file
/// The command behind the -- of `record` and `run`.
///
/// Flow: command line -> [buildWords] -> BuildProcess
#pragma once

#include <string>
#include <vector>

namespace instantrace {

/// The build's words out of what CLI11 leaves: the first one, an argument of
/// the command, takes the place of the -- before the others, which is always
/// there (CommandLine.cpp).
inline std::vector<std::string> buildWords(const std::string &First,
                                           std::vector<std::string> Rest) {
  Rest.front() = First;
  return Rest;
}

} // namespace instantrace
