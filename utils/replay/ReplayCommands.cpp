#include "utils/replay/ReplayCommands.h"

#include "runtime/base/NearestWord.h"
#include "utils/replay/Debugger.h"

#include <algorithm>

using namespace instantrace;

namespace instantrace {

/// Beside Debugger, whose members they name.
struct ReplayCommandTable {
  static constexpr ReplayCommand Commands[] = {
#define REPLAY_COMMAND(Handler, Names, Repeats, Argument, Usage, Help)         \
  {&Debugger::Handler, Names, Repeats, ReplayArgument::Argument, Usage, Help},
#include "utils/replay/ReplayCommands.def"
  };
};

} // namespace instantrace

namespace {

bool hasName(const ReplayCommand &Command, std::string_view Word) {
  for (std::string_view Names = Command.Names; !Names.empty();) {
    size_t Length = std::min(Names.find(' '), Names.size());
    if (Names.substr(0, Length) == Word)
      return true;
    Names.remove_prefix(std::min(Length + 1, Names.size()));
  }
  return false;
}

} // namespace

std::span<const ReplayCommand> instantrace::replayCommands() {
  return ReplayCommandTable::Commands;
}

Result<const ReplayCommand *>
instantrace::findReplayCommand(std::string_view Word) {
  std::vector<const ReplayCommand *> Begin;
  std::vector<std::string> Known;
  for (const ReplayCommand &Command : replayCommands()) {
    if (hasName(Command, Word))
      return &Command;
    if (Command.name().starts_with(Word))
      Begin.push_back(&Command);
    Known.emplace_back(Command.name());
  }
  if (Begin.size() == 1)
    return Begin.front();
  std::string Quoted = "'" + std::string(Word.substr(0, 40)) + "'";
  if (!Begin.empty()) {
    std::string List;
    for (const ReplayCommand *Command : Begin)
      List += (List.empty() ? "" : ", ") + std::string(Command->name());
    return usageError(makeError({}, "the command " + Quoted, "one of " + List));
  }
  std::string Meant = nearestWord(std::string(Word), Known);
  return usageError(makeError({}, "no command " + Quoted,
                              Meant.empty() ? "one that help shows"
                                            : "one, such as " + Meant));
}

std::string instantrace::replayHelp() {
  std::string Text;
  for (const ReplayCommand &Command : replayCommands()) {
    std::string Names(Command.name());
    std::string_view Others = Command.Names.substr(Names.size());
    if (!Others.empty()) {
      std::string List(Others.substr(1));
      Names += " (";
      for (char C : List)
        Names += C == ' ' ? std::string(", ") : std::string(1, C);
      Names += ")";
    }
    constexpr size_t Width = 36;
    Names.resize(std::max(Names.size() + 1, Width), ' ');
    Text += Names +
            std::string(Command.Help.substr(0, Command.Help.find('\n'))) + "\n";
  }
  return Text +
         "help COMMAND says more. An empty line repeats the last motion.";
}

std::string instantrace::replayHelp(const ReplayCommand &Command) {
  return std::string(Command.Usage) + "\n" + std::string(Command.Help);
}
