#include "utils/commands/Commands.h"

#include "runtime/base/NearestWord.h"
#include "utils/cli/CommandModel.h"
#include "utils/cli/Installation.h"
#include "utils/render/Diagnostics.h"

#include <algorithm>
#include <iostream>
#include <memory>

using namespace instantrace;

namespace {

constexpr const char *Description =
    "Shows where a C++ compile spends its time on templates.\n"
    "\n"
    "First record a trace: add the plugin to a compile,\n"
    "  clang++ -fplugin=$(instantrace --print-plugin-path) -c a.cpp -o a.o\n"
    "which leaves a.itrace beside a.o. Then look at it.";

constexpr const char *Examples =
    "Examples:\n"
    "  instantrace summary a.itrace           the costliest templates\n"
    "  instantrace summary --by=file build/   ... of all traces in a folder,\n"
    "                                         by file\n"
    "  instantrace advise build/              what to change\n"
    "  instantrace diff base/ head/           what changed between two "
    "builds\n"
    "  instantrace why a.itrace std::vector   who asked for it\n"
    "  instantrace dump a.itrace | less       every event, in order\n"
    "  instantrace names a.itrace             how names are stored\n"
    "  instantrace export --to=perfetto ...   for the viewers of other tools\n"
    "  instantrace flamegraph -o a.svg a.itrace  a picture of it\n"
    "  instantrace query a.itrace 'SELECT ...'  what only you want to know\n"
    "  instantrace attach 4711                what a running compile is "
    "doing\n"
    "  instantrace recover build/             traces of compiles that were "
    "killed\n"
    "  instantrace COMMAND --help             more about one command\n"
    "\n"
    "Exit codes: 0 success, 1 bad input, 2 wrong usage, 3 over budget.";

/// CLI11 puts the footer of the application under the help of every command.
class HelpFormatter : public CLI::Formatter {
public:
  std::string make_footer(const CLI::App *Of) const override {
    return "\n" + Of->get_footer() + "\n";
  }
  std::string make_option_usage(const CLI::Option *Of) const override {
    return positionalUsage(*Of);
  }
  std::string make_usage(const CLI::App *Of, std::string Name) const override {
    if (const CLI::App *Whole = Of->get_parent())
      Name = Whole->get_name() + " " + Name;
    return CLI::Formatter::make_usage(Of, Name);
  }
};

} // namespace

CommandLine::CommandLine() : App(Description, "instantrace") {
  App.formatter(std::make_shared<HelpFormatter>());
  App.get_formatter()->column_width(34);
  App.footer(Examples);
  // What follows a command is its own, even if it is called like another one.
  App.require_subcommand(0, 1);
  App.add_flag("--version", PrintVersion,
               "print the versions of the tool and of the trace format, and "
               "the Clangs it has a plugin for");
  App.add_flag("--print-plugin-path", PrintPluginPath,
               "print the path to give to -fplugin=");
  for (auto Add : {
#define COMMAND(Name) add##Name,
#include "utils/commands/Commands.def"
       }) {
    CommandRun Run = Add(App);
    auto Known = App.get_subcommands([](const CLI::App *) { return true; });
    Commands.emplace_back(Known.back(), std::move(Run));
  }
}

std::string CommandLine::unknownCommand(const std::string &Word) const {
  std::vector<std::string> Names;
  std::string List;
  for (const auto &[Command, Run] : Commands) {
    Names.push_back(Command->get_name());
    List += (List.empty() ? "" : ", ") + Names.back();
  }
  std::string Meant = nearestWord(Word, Names);
  return "unknown command '" + Word + "'; " +
         (Meant.empty() ? "" : "did you mean " + Meant + "? ") +
         "the commands are " + List;
}

/// For the first option that there is not.
std::string CommandLine::suggestion(int Argc, char **Argv) const {
  CommandModel Whole = commandModel(App);
  const CommandModel *Of = &Whole;
  for (const CommandModel &Command : Whole.Commands)
    if (Command.Name == Argv[1])
      Of = &Command;
  std::vector<std::string> Known;
  for (const OptionModel &Option : Of->Options)
    Known.insert(Known.end(), Option.Names.begin(), Option.Names.end());
  for (int I = 1; I < Argc; ++I) {
    std::string Word = Argv[I];
    Word = Word.substr(0, Word.find('='));
    if (Word.compare(0, 2, "--") != 0 || Word == "--" ||
        std::find(Known.begin(), Known.end(), Word) != Known.end())
      continue;
    std::string Meant = nearestWord(Word, Known);
    return Meant.empty() ? "" : "; did you mean " + Meant + "?";
  }
  return {};
}

std::optional<int> CommandLine::parse(int Argc, char **Argv) {
  std::string First = Argc > 1 ? Argv[1] : "";
  if (First.empty()) {
    std::cerr << App.help();
    return ExitUsage;
  }
  bool IsKnown = First[0] == '-';
  for (const auto &[Command, Run] : Commands)
    IsKnown = IsKnown || Command->get_name() == First;
  if (!IsKnown) {
    printError(unknownCommand(First));
    return ExitUsage;
  }
  try {
    App.parse(Argc, Argv);
  } catch (const CLI::CallForHelp &) {
    const CLI::App *Of = &App;
    for (const CLI::App *Command : App.get_subcommands())
      Of = Command;
    std::cout << Of->help();
    return ExitSuccess;
  } catch (const CLI::ParseError &E) {
    // Validators' messages for several values come on several lines.
    std::string Message = E.what();
    std::replace(Message.begin(), Message.end(), '\n', ' ');
    std::string Of = First[0] == '-' ? "" : " " + First;
    printError(Message + suggestion(Argc, Argv) + "; see instantrace" + Of +
               " --help");
    return ExitUsage;
  }
  if (!PrintVersion && !PrintPluginPath && App.get_subcommands().empty()) {
    std::cerr << App.help();
    return ExitUsage;
  }
  return std::nullopt;
}

Result<int> CommandLine::run() {
  if (PrintVersion)
    return printVersion();
  if (PrintPluginPath)
    return printPluginPath();
  for (auto &[Command, Run] : Commands)
    if (Command->parsed())
      return Run();
  return ExitUsage;
}
