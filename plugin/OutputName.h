/// \file
/// Where the trace of a compile goes.
///
/// Rule:   beside the object: a.o -> a.itrace, any other output x.y ->
///         x.y.itrace, one without an ending x -> x-HASH.itrace. Without an
///         object of its own (-fsyntax-only, -o -, -o /dev/null, the temporary
///         object of compile-and-link): STEM-HASH.itrace in the working
///         directory. In a directory that the user names, and beside a file
///         that is named for several compiles at once: STEM-HASH.itrace. The
///         hash is over what tells compiles apart and stays the same when one
///         is repeated
/// Source: the traps in docs/use/plugin-options.md, each with a test
#pragma once

#include <string>
#include <vector>

namespace instantrace {

struct CompileIdentity {
  std::string WorkingDirectory;
  std::string Input;  ///< "-" for standard input
  std::string Object; ///< as Clang has it; may be empty
  std::string Triple;
  std::vector<std::string> Argv; ///< of the process
  bool IsDevicePass = false;     ///< one of several passes that share a name
  bool IsOneOfSeveral = false;   ///< that one command has started
};

/// Whether \p Requested is a file that several compiles are to write, and so
/// none of them does.
bool isRequestedTwice(const CompileIdentity &Compile,
                      const std::string &Requested);

/// \p Requested is the user's output option: empty, a file, or a directory
/// (ends with '/' or exists as one).
std::string outputName(const CompileIdentity &Compile,
                       const std::string &Requested);

} // namespace instantrace
