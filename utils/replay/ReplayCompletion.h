/// \file
/// What a line of the debugger can go on to.
///
/// Flow: line, InstantiationIndex -> [ReplayCompletion] -> LineEditor
#pragma once

#include "utils/replay/LineEditor.h"
#include "utils/replay/Replay.h"
#include "utils/replay/ReplayCommands.h"

#include <optional>

namespace instantrace {

class ReplayCompletion {
public:
  /// \p Source must outlive the object.
  explicit ReplayCompletion(Replay &Source) : R(Source) {}

  Completions complete(std::string_view Line);

private:
  std::vector<std::string> wordsOf(ReplayArgument Argument,
                                   std::string_view Word,
                                   std::string_view Before, bool &IsWhole);
  std::vector<std::string> namesLike(std::string_view Word);
  std::vector<std::string> filesLike(std::string_view Word) const;
  const std::vector<std::string> &names();

  Replay &R;
  /// Of templates, sorted. Read when they are asked for first.
  std::optional<std::vector<std::string>> Names;
};

} // namespace instantrace
