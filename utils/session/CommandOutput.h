/// \file
/// Runs a short command and keeps what it prints.
///
/// Flow:   command -> [CommandOutput] -> text, how it ended
/// Bounds: a time, after which it is killed with all that it has started, and
///         bytes
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

/// Kept: with the standard output, as they come. Apart: by themselves.
enum class ErrorOutput { Dropped, Kept, Apart };

struct CommandOutput {
  std::string Text;   ///< of the standard output, and error output if kept
  std::string Errors; ///< if they are kept apart; the first 64 KiB
  int StartError = 0; ///< errno; it was not run
  int ExitCode = -1;  ///< negative: it did not end by itself
  int Signal = 0;
  bool IsTooLate = false;
  bool IsTooLong = false; ///< Text is the beginning

  bool isGood() const { return ExitCode == 0; }
};

inline std::string firstLine(std::string_view Text) {
  return std::string(Text.substr(0, Text.find('\n')));
}

/// The first word is looked for in PATH. Nothing comes from the standard input.
/// It is killed when it has printed \p MostBytes.
CommandOutput runShortly(const std::vector<std::string> &Command,
                         int PatienceMs,
                         ErrorOutput Errors = ErrorOutput::Dropped,
                         size_t MostBytes = size_t(1) << 20);

} // namespace instantrace
