/// \file
/// The debugger's commands by the words that mean them.
///
/// Flow: ReplayCommands.def -> [findReplayCommand] -> Debugger and completion
#pragma once

#include "runtime/base/Result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

class Debugger;

/// What completion offers for an argument.
enum class ReplayArgument {
  None,
  Name,
  Number,
  Topic,
  Command,
  File,
  Memory,
  Place,
  Setting
};

struct ReplayCommand {
  Result<void> (Debugger::*Run)(std::string_view Arguments);
  std::string_view Names; ///< the whole one first, separated by spaces
  bool Repeats;
  ReplayArgument Argument;
  std::string_view Usage, Help;

  std::string_view name() const { return Names.substr(0, Names.find(' ')); }
};

std::span<const ReplayCommand> replayCommands();

/// Names and abbreviations first, then the begin of one name alone.
/// Errors: no such command, or several
Result<const ReplayCommand *> findReplayCommand(std::string_view Word);

/// All of them; or of one, which an error has if there is none.
std::string replayHelp();
std::string replayHelp(const ReplayCommand &Command);

} // namespace instantrace
