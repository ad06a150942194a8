/// \file
/// Where recovered traces go, so that none replaces what is not its own.
///
/// Flow:   recovered bytes -> [RecoveryTarget] -> TraceFile -> x.itrace
/// Errors: "PATH: reason"
#pragma once

#include "runtime/base/Result.h"
#include "utils/system/FileDescriptor.h"

#include <set>
#include <string>
#include <string_view>

namespace instantrace {

class RecoveryTarget {
public:
  /// \p Output of the command line: empty, a file, or a folder. \p Forced: as a
  /// file it is replaced, whatever it is.
  explicit RecoveryTarget(std::string Output, bool Forced = false)
      : Output(std::move(Output)), Forced(Forced) {}

  struct Written {
    std::string Path;
    std::string Kept; ///< the complete trace that has the name; empty: none
  };
  /// The file appears when it is whole, without -o as \p Name in \p Folder,
  /// where the leftover is. What has the name is replaced only if it is an
  /// interrupted trace of the same compile and of nothing else. Otherwise
  /// another name is taken, or, of the file of -o, it is an error.
  Result<Written> write(std::string_view Bytes, const FileDescriptor &Folder,
                        const std::string &Name);

private:
  /// The same once; no path: somebody else took the name meanwhile.
  Result<Written> tryToWrite(std::string_view Bytes,
                             const FileDescriptor &Folder,
                             const std::string &Name);

  std::string Output;
  bool Forced;
  std::set<std::string> Taken; ///< by this run
};

} // namespace instantrace
