/// \file
/// Finds the Clangs of a machine, and tries the plugin in them.
///
/// Flow:   PATH, /usr/lib/llvm-*, names -> [ClangCheck] -> CompilerProbe,
///         a compile of a line -> its trace -> HealthCheck
/// Errors: none; they are what is found
#pragma once

#include "utils/render/HealthText.h"

#include <string>
#include <vector>

namespace instantrace {

/// Paths of C++ compilers that are called like Clang, each program once.
std::vector<std::string> clangsHere(const std::string &SearchPath);

struct ClangTrial {
  std::string Program;
  bool IsNamed = false; ///< somebody wants this one to work
  int Major = 0;        ///< of the Clang that it is; 0: it is none
  HealthCheck Check;
  bool DoesWork = false; ///< a compile by it has left a whole trace
};

/// Compiles a line in a new folder below \p Folder with the loader \p Plugin,
/// and reads the trace. \p Majors are those with a module. One that has not
/// ended after \p PatienceMs is ended, and tried without the loader, to know
/// whose fault it is.
ClangTrial tryClang(const std::string &Program, bool IsNamed,
                    const std::string &Plugin, const std::vector<int> &Majors,
                    const std::string &Folder, int PatienceMs);

} // namespace instantrace
