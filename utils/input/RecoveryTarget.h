/// \file
/// Where recovered traces go, so that none replaces what is not its own.
///
/// Flow:   recovered bytes -> [RecoveryTarget] -> TraceFile -> x.itrace
/// Errors: "PATH: reason"
#ifndef INSTANTRACE_UTILS_INPUT_RECOVERYTARGET_H
#define INSTANTRACE_UTILS_INPUT_RECOVERYTARGET_H

#include "runtime/base/Result.h"
#include "utils/input/FileDescriptor.h"

#include <set>
#include <string>
#include <string_view>

namespace instantrace {

class RecoveryTarget {
public:
  /// \p Output of the command line: empty, a file, or a folder.
  explicit RecoveryTarget(std::string Output) : Output(std::move(Output)) {}

  struct Written {
    std::string Path;
    std::string Kept; ///< the complete trace that has the name; empty: none
  };
  /// The file appears when it is whole, without -o as \p Name in \p Folder,
  /// where the leftover is. What has the name is replaced only if it is an
  /// interrupted trace of the same compile, and else another name is taken.
  Result<Written> write(std::string_view Bytes, const FileDescriptor &Folder,
                        const std::string &Name);

private:
  std::string Output;
  std::set<std::string> Taken; ///< by this run
};

/// True for a readable trace whose every sequence has the footer of a compile
/// that ended.
bool isCompleteTrace(const std::string &Path);

} // namespace instantrace

#endif
