/// \file
/// The lines of a script, or of whoever writes to the standard input.
///
/// Flow:   file -> [ScriptLines] -> Debugger
/// Errors: a file that cannot be opened or read; a line without an end; ^C
///
/// Nothing is read ahead of what is asked for but a piece, so that a pipe may
/// be answered line by line, and a file may be endless.
#pragma once

#include "runtime/base/Result.h"
#include "utils/system/FileDescriptor.h"

#include <cstdint>
#include <optional>
#include <string>

namespace instantrace {

class ScriptLines {
public:
  static constexpr size_t LongestLine = 1 << 16;

  /// Waits for the writer of a named pipe, until ^C.
  static Result<ScriptLines> open(const std::string &Path);
  /// Does not close it.
  static ScriptLines standardInput();

  /// Without its end; none behind the last one.
  Result<std::optional<std::string>> next();
  /// Of the last one, from 1.
  uint64_t lineNo() const { return LineNo; }
  const std::string &name() const { return Name; }

private:
  ScriptLines(std::string Name, FileDescriptor Owned, int File)
      : Name(std::move(Name)), Owned(std::move(Owned)), File(File) {}

  std::string Name;
  FileDescriptor Owned;
  int File;
  std::string Buffer;
  size_t Given = 0; ///< what of the buffer was given out
  uint64_t LineNo = 0;
  bool IsAtEnd = false;
};

} // namespace instantrace
