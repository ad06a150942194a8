/// \file
/// The recorded command of a compile, so that it writes into a folder of ours
/// alone.
///
/// Flow:   TraceSession -> [scratchCommand] -> Trial
/// Errors: the option, or the program, for which it is not run
///
/// A trace that somebody gives away may have any command. So the program has to
/// be called as Clang is, and an option that is not known to write nothing,
/// load nothing and run nothing is an error. Options that name outputs are
/// replaced.
#pragma once

#include "runtime/base/Result.h"
#include "runtime/read/Trace.h"

#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

struct ScratchCommand {
  std::vector<std::string> Words; ///< the first is a path
  std::string WorkingDirectory;
  size_t InputIndex = 0; ///< of the source among the words
};

/// What is done with an option of the driver, and whether the next word is its
/// value.
enum class CompileWord { Keep, KeepWithValue, Drop, DropWithValue, Refuse };
CompileWord compileWord(std::string_view Word);

/// "clang++-22", "x86_64-linux-gnu-clang".
bool isClangDriver(std::string_view FileName);

/// Absolute; empty: there is no such program.
std::string findProgram(const std::string &Name, const std::string &Folder);

/// Where \p Program is that commands in \p Folder name. Errors: it is not
/// called as Clang is, or not there.
Result<std::string> clangDriver(const std::string &Program,
                                const std::string &Folder);

/// \p OutputFolder is absolute. Compiles to an object in it.
Result<ScratchCommand> scratchCommand(const TraceSession &Session,
                                      const std::string &OutputFolder);

/// Of ours, without what has Clang write files or load us.
std::vector<std::string> scratchEnvironment(const std::string &TemporaryFolder);

} // namespace instantrace
