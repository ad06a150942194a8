#include "utils/cli/CommandLine.h"

#include "runtime/base/NearestWord.h"
#include "utils/cli/CommandModel.h"
#include "utils/cli/HelpText.h"
#include "utils/cli/Installation.h"
#include "utils/render/Output.h"
#include "utils/render/Pager.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace instantrace;

namespace {

constexpr const char *Description =
    R"(Shows where a C++ compile spends its time on templates.

A compile, where its time went and what to do:
  instantrace run clang++ -c a.cpp
A build, into a folder for all other commands:
  instantrace record ninja
Or the plugin in a compile of your own, which leaves a.itrace beside a.o:
  clang++ -fplugin=$(instantrace --print-plugin-path) -c a.cpp -o a.o)";

constexpr const char *Examples =
    R"(Examples:
  instantrace doctor                        is all there, and does it work
  instantrace summary                       where the time of the newest trace
                                            below this folder went
  instantrace summary --by=template build/  a table of all traces in a folder
  instantrace advise build/                 what to change
  instantrace diff base/ head/              what changed between two builds
  instantrace why a.itrace 'std::vector<$>' what requested it
  instantrace report -o a.html a.itrace     a page for a browser
  instantrace help COMMAND                  more about one command

Exit codes:
  0  success
  1  bad input: a trace that cannot be read, a name that is in none
  2  usage error: an unknown command, option or value
  3  over budget (budget, diff --fail-on)
  run and record end as the compile or the build does)";

/// The arguments, with gdb's spelling of an option of the debugger in that of
/// the others, and each word of a build behind a -- as the value of an option,
/// so that none is taken for a trace.
std::vector<std::string> spelledOut(std::vector<std::string> Words) {
  const bool IsReplay = Words.front() == "replay";
  if (!IsReplay && Words.front() != "attach")
    return Words;
  auto Build = std::find(Words.begin(), Words.end(), "--");
  for (auto Word = Words.begin(); Word != Build; ++Word)
    if (*Word == "-ex")
      *Word = "--eval-command";
  if (!IsReplay)
    return Words;
  if (Build != Words.end())
    Build = Words.erase(Build);
  for (; Build != Words.end(); ++Build)
    Build->insert(0, "--build=:");
  return Words;
}

/// Nothing, or what is wrong. CLI11 takes -1 for the largest number, 010 for 8,
/// and what is too large for the largest.
std::string checkWholeNumber(std::string &Word) {
  uint64_t Number = 0;
  const char *End = Word.data() + Word.size();
  auto [Read, Code] = std::from_chars(Word.data(), End, Number);
  if (Code == std::errc() && Read == End)
    return {};
  return "found '" + Word + "', expected a whole number up to " +
         std::to_string(UINT64_MAX);
}

/// Nothing, or what is wrong. CLI11 takes `nan`, which is in every range, and
/// `inf`.
std::string checkNumber(std::string &Word) {
  double Number = 0;
  const char *End = Word.data() + Word.size();
  auto [Read, Code] = std::from_chars(Word.data(), End, Number);
  if (Code == std::errc() && Read == End && std::isfinite(Number) &&
      Number >= 0)
    return {};
  return "found '" + Word + "', expected a number such as 5 or 0.5";
}

void checkNumbers(CLI::App &Command) {
  for (CLI::Option *Option : Command.get_options()) {
    if (Option->get_type_name().starts_with("UINT"))
      Option->check(CLI::Validator(checkWholeNumber, ""));
    else if (Option->get_type_name().starts_with("FLOAT"))
      Option->check(CLI::Validator(checkNumber, ""));
  }
}

/// An option that ends with its =, for which CLI11 would take the next word.
/// Behind a -- are words of a build.
std::optional<std::string>
optionWithoutValue(const std::vector<std::string> &Words) {
  for (size_t I = 0; I != Words.size() && Words[I] != "--"; ++I) {
    std::string_view Word = Words[I];
    if (Word.starts_with("--") && Word.ends_with('=') &&
        Word.find('=') == Word.size() - 1)
      return std::string(Word.substr(0, Word.size() - 1));
  }
  return std::nullopt;
}

/// Puts the -- before the first word of the build where nobody has: \p A is a
/// command that has one behind its own options. Nothing, or the word before it
/// that is none of them: CLI11 would take that for the build's.
std::optional<std::string> endOptions(const CLI::App &A,
                                      std::vector<std::string> &Words) {
  for (size_t Index = 1; Index < Words.size(); ++Index) {
    const std::string &Word = Words[Index];
    if (Word == "--")
      return {};
    if (Word.size() < 2 || Word[0] != '-') {
      Words.insert(Words.begin() + static_cast<std::ptrdiff_t>(Index), "--");
      return {};
    }
    if (const CLI::Option *Whole = A.get_option_no_throw(Word)) {
      Index += Whole->get_items_expected_max() > 0;
      continue;
    }
    // Its value is in the same word: --output=DIR, -oDIR, -qoDIR.
    if (Word[1] == '-') {
      if (!A.get_option_no_throw(Word.substr(0, Word.find('='))))
        return Word;
      continue;
    }
    for (size_t I = 1; I != Word.size(); ++I) {
      const CLI::Option *Short = A.get_option_no_throw({'-', Word[I]});
      if (!Short)
        return Word;
      if (Short->get_items_expected_max() > 0)
        break;
    }
  }
  return {};
}

/// For a value that an option does not take, and which words those are:
/// "--by: headers not in {template,header}".
std::string nearestValue(const std::string &Message) {
  constexpr std::string_view NotIn = " not in {";
  size_t End = Message.find(NotIn), Begin = Message.rfind(' ', End - 1);
  if (End == Message.npos || Begin == Message.npos)
    return {};
  std::vector<std::string> Words(1);
  for (size_t Index = End + NotIn.size();
       Index < Message.size() && Message[Index] != '}'; ++Index)
    if (Message[Index] == ',')
      Words.emplace_back();
    else
      Words.back() += Message[Index];
  std::string Meant =
      nearestWord(Message.substr(Begin + 1, End - Begin - 1), Words);
  return Meant.empty() ? "" : "; did you mean " + Meant + "?";
}

constexpr std::string_view NoPager = "--no-pager";

/// Commands that run something else, or talk to the user.
bool isInteractive(std::string_view Name) {
  constexpr std::string_view Names[] = {"run",    "record",  "replay",
                                        "attach", "collect", "recover"};
  return std::find(std::begin(Names), std::end(Names), Name) != std::end(Names);
}

class CommandLine {
public:
  CommandLine(std::span<const CommandAdder> Adders,
              std::span<const char *const> Groups);
  /// Words behind the name of the program.
  Result<void> parse(std::vector<std::string> Words);
  /// Requires: parse() had no error.
  Result<int> run();

private:
  std::string unknownCommand(const std::string &Word) const;
  std::string suggestion(const std::vector<std::string> &Words) const;
  std::string help(const CLI::App &A) const;

  CLI::App App;
  std::vector<std::pair<CLI::App *, CommandRun>> Commands;
  const CLI::App *Helped = nullptr; // whose help was asked for
  HelpLength HelpAsked = HelpLength::Long;
  bool HasNoPager = false; // for the help; parse() takes the word away
  bool PrintVersion = false;
  bool PrintPluginPath = false;
  bool PrintOverride = false;
};

CommandLine::CommandLine(std::span<const CommandAdder> Adders,
                         std::span<const char *const> Groups)
    : App(Description, "instantrace") {
  App.footer(Examples);
  App.set_help_flag("-h,--help", "print this help, or with -h a short one");
  // What follows a command is its own, even if it is called like another one.
  App.require_subcommand(0, 1);
  App.add_flag("--version", PrintVersion,
               "print the versions of the tool and of the trace format, and "
               "the Clangs it has a plugin for");
  App.add_flag("--print-plugin-path", PrintPluginPath,
               "print the path to give to -fplugin=");
  App.add_flag("--print-override", PrintOverride,
               "print the value of CCC_OVERRIDE_OPTIONS with which every Clang "
               "of a build loads the plugin");
  App.add_flag(std::string(NoPager), HasNoPager,
               "also behind a command: print text that is "
               "longer than the terminal as it is, and not in "
               "$INSTANTRACE_PAGER, $PAGER or less");
  for (CommandAdder Add : Adders) {
    CommandRun Run = Add(App);
    auto Known = App.get_subcommands([](const CLI::App *) { return true; });
    if (Commands.size() < Groups.size())
      Known.back()->group(Groups[Commands.size()]);
    checkNumbers(*Known.back());
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

std::string CommandLine::help(const CLI::App &A) const {
  CommandModel Whole = commandModel(App);
  const CommandModel *Page = &A == &App ? &Whole : Whole.command(A.get_name());
  return helpText(Whole, *Page, HelpAsked);
}

/// For the first option that there is not.
std::string
CommandLine::suggestion(const std::vector<std::string> &Words) const {
  CommandModel Whole = commandModel(App);
  const CommandModel *Called = &Whole;
  for (const CommandModel &Command : Whole.Commands)
    if (Command.Name == Words.front())
      Called = &Command;
  std::vector<std::string> Known;
  for (const OptionModel &Option : Called->Options)
    Known.insert(Known.end(), Option.Names.begin(), Option.Names.end());
  for (std::string Word : Words) {
    Word = Word.substr(0, Word.find('='));
    if (Word.compare(0, 2, "--") != 0 || Word == "--" ||
        std::find(Known.begin(), Known.end(), Word) != Known.end())
      continue;
    std::string Meant = nearestWord(Word, Known);
    return Meant.empty() ? "" : "; did you mean " + Meant + "?";
  }
  return {};
}

Result<void> CommandLine::parse(std::vector<std::string> Words) {
  if (!Words.empty() && Words.front() == NoPager) {
    isPagerAllowed() = false;
    Words.erase(Words.begin());
  }
  if (Words.empty())
    return {};
  const std::string First = Words.front();
  const CLI::App *Called = nullptr;
  for (const auto &[Command, Run] : Commands)
    if (Command->get_name() == First)
      Called = Command;
  if (!Called && First[0] != '-')
    return usageError(unknownCommand(First));
  if (std::optional<std::string> Option = optionWithoutValue(Words))
    return usageError(makeError(*Option, "nothing behind its =", "a value"));
  auto IsGiven = [&Words](std::string_view Flag) {
    return std::find(Words.begin(), Words.end(), Flag) != Words.end();
  };
  if (!Called || !Called->get_prefix_command())
    if (std::erase(Words, NoPager) != 0)
      isPagerAllowed() = false;
  try {
    std::vector<std::string> Spelled = spelledOut(Words);
    if (Called && Called->get_prefix_command())
      if (std::optional<std::string> Unknown = endOptions(*Called, Spelled))
        return usageError("The following argument was not expected: " +
                          *Unknown + suggestion({First, *Unknown}) +
                          "; see instantrace " + First + " --help");
    std::reverse(Spelled.begin(), Spelled.end()); // as CLI11 wants them
    App.parse(std::move(Spelled));
  } catch (const CLI::CallForHelp &) {
    // Only one of the two may be there, or the long one is meant.
    if (IsGiven("-h") && !IsGiven("--help"))
      HelpAsked = HelpLength::Short;
    Helped = &App;
    for (const CLI::App *Command : App.get_subcommands())
      Helped = Command;
  } catch (const CLI::ParseError &E) {
    // Validators' messages for several values come on several lines.
    std::string Message = E.what();
    std::replace(Message.begin(), Message.end(), '\n', ' ');
    std::string Command = First[0] == '-' ? "" : " " + First;
    return usageError(Message + nearestValue(Message) + suggestion(Words) +
                      "; see instantrace" + Command + " --help");
  }
  return {};
}

Result<int> CommandLine::run() {
  if (Helped) {
    Output Out(stdout);
    Out.append(help(*Helped));
    return Out.finish();
  }
  if (PrintVersion)
    return printVersion();
  if (PrintPluginPath)
    return printPluginPath();
  if (PrintOverride)
    return printOverride();
  for (auto &[Command, Run] : Commands)
    if (Command->parsed()) {
      if (isInteractive(Command->get_name()))
        isPagerAllowed() = false;
      return Run();
    }
  std::cerr << help(App);
  return ExitUsage;
}

} // namespace

Result<CommandRun>
instantrace::parseCommandLine(std::span<const CommandAdder> Adders, int Argc,
                              char **Argv,
                              std::span<const char *const> Groups) {
  auto Line = std::make_shared<CommandLine>(Adders, Groups);
  INSTANTRACE_TRY(Line->parse({Argv + 1, Argv + Argc}));
  return CommandRun([Line] { return Line->run(); });
}

Result<int> instantrace::runCommandLine(std::span<const CommandAdder> Adders,
                                        int Argc, char **Argv,
                                        std::span<const char *const> Groups) {
  INSTANTRACE_TRY_ASSIGN(CommandRun Run,
                         parseCommandLine(Adders, Argc, Argv, Groups));
  Result<int> Code = Run();
  // Of what did not tell by itself, such as --help.
  if (!Code || *Code != ExitSuccess)
    return Code;
  Result<int> Written = Output(stdout).finish();
  return Written ? Code : Written;
}
