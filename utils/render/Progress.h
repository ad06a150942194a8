/// \file
/// How far long work is, in the last line of the terminal.
///
/// Flow:    reading, exports, recovery -> [Progress] -> standard error
/// Threads: one
///
/// Nothing is written within the first second, to what is no terminal, or while
/// the standard output is a pipe: its reader may own the screen.
#pragma once

#include "utils/render/ProgressLine.h"

#include <cstdint>
#include <optional>
#include <string>

namespace instantrace {

class Progress {
public:
  /// \p What is done, such as "reading". \p Total 0: nobody knows.
  Progress(const std::string &What, uint64_t Total, ProgressUnit Unit);
  /// Leaves no trace on the terminal.
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// The file that it is at.
  void enter(const std::string &File) { Name = File; }
  /// Cheap enough for each packet, not for each event.
  void at(uint64_t Done);

  /// Call before anything else is written to the terminal.
  void makeRoom();

private:
  std::optional<ProgressLine> Line; // none: not to be shown
  std::string Name;
};

} // namespace instantrace
