/// \file
/// --source-root, for each command that reads sources that a trace names.
///
/// Flow: command line -> [addSourceRootOption] -> SourceRoots
#ifndef INSTANTRACE_UTILS_CLI_SOURCEROOTOPTION_H
#define INSTANTRACE_UTILS_CLI_SOURCEROOTOPTION_H

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace instantrace {

inline void addSourceRootOption(CLI::App &Command,
                                std::vector<std::string> &Folders) {
  Command
      .add_option("--source-root", Folders,
                  "read sources below this folder, too; may be repeated. "
                  "Otherwise a source is read below this directory, those of "
                  "its compile and of what that compiles, and folders of "
                  "headers")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false)
      ->check(CLI::ExistingDirectory);
}

} // namespace instantrace

#endif
