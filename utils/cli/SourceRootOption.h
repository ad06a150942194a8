/// \file
/// --source-root, for each command that reads sources that a trace names.
///
/// Flow: command line -> [addSourceRootOption] -> SourceRoots
#pragma once

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
